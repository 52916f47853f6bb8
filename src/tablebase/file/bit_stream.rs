//! Codes written one after the other, and read again.

use super::codes::{Code, Decoded, Decoder, LONGEST};

/// Codes one after the other, the first bit of a byte being its highest.
#[derive(Clone, Debug, Default)]
pub struct BitWriter {
    bytes: Vec<u8>,
    pending: u64,
    pending_bits: u32,
}

impl BitWriter {
    /// Appends a code.
    #[inline]
    pub fn push(&mut self, code: Code) {
        self.pending = self.pending << code.length | u64::from(code.bits);
        self.pending_bits += code.length;
        while self.pending_bits >= u8::BITS {
            self.pending_bits -= u8::BITS;
            self.bytes.push((self.pending >> self.pending_bits) as u8);
        }
    }

    /// Fills the last byte with zeros.
    pub fn end_byte(&mut self) {
        if self.pending_bits > 0 {
            self.push(Code { bits: 0, length: u8::BITS - self.pending_bits });
        }
    }

    /// The bytes filled so far.
    pub fn bytes(&self) -> &[u8] {
        &self.bytes
    }
}

/// Reads what a [`BitWriter`] wrote; past the end there are zeros.
#[derive(Clone, Copy, Debug)]
pub struct BitReader<'a> {
    bytes: &'a [u8],
    next: usize,
}

impl<'a> BitReader<'a> {
    /// Reads from the first bit on.
    pub fn new(bytes: &'a [u8]) -> Self {
        Self { bytes, next: 0 }
    }

    /// The next symbol.
    #[inline]
    pub fn read(&mut self, decoder: &Decoder) -> u8 {
        let start = self.next / 8;
        let window = match self.bytes.get(start..).and_then(<[u8]>::first_chunk) {
            Some(bytes) => u32::from_be_bytes(*bytes),
            None => self.window_at_end(start),
        };
        let next = window >> (u32::BITS - LONGEST - (self.next % 8) as u32);
        let Decoded { symbol, length } = decoder.decode(next.into());
        self.next += usize::from(length);
        symbol
    }

    #[cold]
    fn window_at_end(&self, start: usize) -> u32 {
        let mut window = [0; 4];
        window.iter_mut().zip(self.bytes.iter().skip(start)).for_each(|(to, from)| *to = *from);
        u32::from_be_bytes(window)
    }
}
