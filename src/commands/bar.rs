//! The look of bars that show how far long work is.

use indicatif::ProgressStyle;

/// A look by a template, in letters that every terminal has.
pub fn style(template: &str) -> ProgressStyle {
    let style = ProgressStyle::with_template(template).unwrap_or(ProgressStyle::default_bar());
    style.progress_chars("=> ")
}
