//! The parts of a control sequence: `ESC [`, numbers, a letter.

/// A whole control sequence.
#[derive(Debug, Clone, Copy)]
pub(super) struct Control<'a> {
    /// `<`, `=`, `>` or `?`.
    pub(super) prefix: Option<u8>,
    parameters: &'a [u8],
    /// Between the numbers and the letter.
    pub(super) between: &'a [u8],
    /// The letter, or whatever ends it.
    pub(super) last: u8,
}

impl<'a> Control<'a> {
    /// Takes a sequence apart that is whole.
    pub(super) fn new(raw: &'a [u8]) -> Option<Self> {
        let (&last, body) = raw.strip_prefix(b"\x1b[")?.split_last()?;
        let prefix = body.first().copied().filter(|byte| matches!(byte, b'<'..=b'?'));
        let body = &body[usize::from(prefix.is_some())..];
        let end = body.iter().position(|byte| !matches!(byte, b'0'..=b';')).unwrap_or(body.len());
        let (parameters, between) = body.split_at(end);
        Some(Self { prefix, parameters, between, last })
    }

    /// How many parameters there are; none of them is one, which is empty.
    pub(super) fn count(&self) -> usize {
        self.parameters.split(|byte| *byte == b';').count()
    }

    /// The numbers of a parameter, `None` for those that are left out.
    pub(super) fn numbers(&self, parameter: usize) -> impl Iterator<Item = Option<u32>> + use<'a> {
        let parameter = self.parameters.split(|byte| *byte == b';').nth(parameter).unwrap_or_default();
        parameter.split(|byte| *byte == b':').map(number)
    }

    /// The first number of a parameter.
    pub(super) fn number(&self, parameter: usize) -> Option<u32> {
        self.numbers(parameter).next().flatten()
    }
}

fn number(digits: &[u8]) -> Option<u32> {
    std::str::from_utf8(digits).ok()?.parse().ok()
}
