//! Why a request is refused.

use std::fmt;

use hyper::StatusCode;

/// Why a request is refused.
#[derive(Debug)]
pub struct Refusal {
    pub status: StatusCode,
    pub message: String,
    /// The methods that the path has, if another was tried.
    pub allowed: Option<&'static str>,
    /// Whether the connection ends with it.
    pub is_last: bool,
}

impl Refusal {
    /// A refusal with a status, and why.
    pub fn new(status: StatusCode, message: impl Into<String>) -> Self {
        Self { status, message: message.into(), allowed: None, is_last: false }
    }

    /// A request that cannot be carried out as it is.
    pub fn bad(error: impl fmt::Display) -> Self {
        Self::new(StatusCode::BAD_REQUEST, error.to_string())
    }

    /// A request that was not whole in time.
    pub fn too_slow() -> Self {
        Self::new(StatusCode::REQUEST_TIMEOUT, "the request took too long")
    }

    /// The same, and the connection ends with it.
    pub fn last(self) -> Self {
        Self { is_last: true, ..self }
    }

    /// A request whose method is none of those that its path has.
    pub fn of_method(allowed: &'static str) -> Self {
        let message = format!("expected the method {allowed}");
        Self { allowed: Some(allowed), ..Self::new(StatusCode::METHOD_NOT_ALLOWED, message) }
    }
}
