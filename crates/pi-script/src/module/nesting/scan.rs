//! Finds the deepest place of a source without parsing it. What it cannot tell apart it takes for the deeper one.

use super::{KEYWORDS, is_one_of, is_word, word_end};

/// Keywords whose statement holds another one.
const NESTING_STATEMENTS: [&str; 6] = ["do", "else", "for", "if", "while", "with"];
/// Words that go on with what stands before them, on whatever line.
const CONTINUING: [&str; 12] =
    ["as", "catch", "else", "extends", "finally", "implements", "in", "instanceof", "is", "of", "satisfies", "while"];

/// The deepest place of a source.
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq)]
pub(super) struct Depth {
    /// Levels of the syntax tree.
    pub(super) levels: usize,
    /// Of these, brackets and statements that are indented.
    pub(super) blocks: usize,
}

/// What is inside of a bracket, as far as it may chain.
#[derive(Debug, Default)]
struct Frame {
    /// The bracket that closes it; 0 at the top.
    closer: u8,
    /// Whether it is the head of a statement that holds another one.
    is_head: bool,
    /// Operators and the like since the last element began.
    chained: usize,
    /// Statements that hold the one at hand, and how many of them are indented.
    statements: usize,
    indented: usize,
    /// Angle brackets that may be open.
    angles: usize,
}

/// What the last token was.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Last {
    /// Something that wants an operand.
    Operator,
    /// A value or a name.
    Operand,
    /// `)` of `if (…)` and the like, behind which the statement stands that belongs to it.
    Head,
    /// Any other `)`.
    Paren,
    /// `}`.
    Brace,
    /// `;`.
    Semicolon,
}

/// Reads tokens, and keeps count of what they may be inside of.
pub(super) struct Scan<'a> {
    source: &'a [u8],
    at: usize,
    frames: Vec<Frame>,
    last: Last,
    new_line: bool,
    /// Whether the last token is `else`, and whether it is a word that a colon makes a label.
    after_else: bool,
    is_label: bool,
    /// Whether the last token begins a statement that holds another one.
    after_keyword: bool,
    /// Of all frames.
    now: Depth,
    deepest: Depth,
}

impl<'a> Scan<'a> {
    pub(super) fn new(source: &'a [u8]) -> Self {
        let (now, deepest) = (Depth::default(), Depth::default());
        Self {
            source,
            at: 0,
            frames: vec![Frame::default()],
            last: Last::Semicolon,
            new_line: true,
            after_else: false,
            is_label: false,
            after_keyword: false,
            now,
            deepest,
        }
    }

    pub(super) fn run(mut self) -> Depth {
        while let Some(byte) = self.source.get(self.at).copied() {
            match byte {
                b'\n' | b'\r' => {
                    self.new_line = true;
                    self.at += 1;
                }
                b' ' | b'\t' => self.at += 1,
                b'/' => self.slash(),
                b'\'' | b'"' => self.string(byte),
                b'`' => self.template(),
                b'(' | b'[' | b'{' => self.open(byte),
                b')' | b']' | b'}' => self.close(byte),
                b',' | b';' => self.separator(byte),
                _ if is_word(byte) => self.word(),
                _ => self.operator(byte),
            }
        }
        self.deepest
    }

    fn top(&mut self) -> &mut Frame {
        if self.frames.is_empty() {
            self.frames.push(Frame::default());
        }
        let last = self.frames.len() - 1;
        &mut self.frames[last]
    }

    fn chain(&mut self, count: usize) {
        self.top().chained += count;
        self.now.levels += count;
        self.deepest.levels = self.deepest.levels.max(self.now.levels);
    }

    fn nest_statement(&mut self, is_indented: bool) {
        let top = self.top();
        top.statements += 1;
        top.indented += usize::from(is_indented);
        self.now.levels += 1;
        self.now.blocks += usize::from(is_indented);
        self.deepest.levels = self.deepest.levels.max(self.now.levels);
        self.deepest.blocks = self.deepest.blocks.max(self.now.blocks);
    }

    /// An element ends: what was chained in it does not go on.
    fn end_element(&mut self) {
        self.now.levels -= std::mem::take(&mut self.top().chained);
    }

    fn end_statement(&mut self) {
        self.end_element();
        let top = self.top();
        top.angles = 0;
        let (statements, indented) = (std::mem::take(&mut top.statements), std::mem::take(&mut top.indented));
        self.now.levels -= statements;
        self.now.blocks -= indented;
    }

    fn token(&mut self, last: Last) {
        self.last = last;
        (self.new_line, self.after_else, self.is_label, self.after_keyword) = (false, false, false, false);
    }

    fn open(&mut self, byte: u8) {
        if self.last == Last::Semicolon || (byte == b'{' && self.last == Last::Brace) {
            self.begin_operand(b"");
        }
        let closer = match byte {
            b'(' => b')',
            b'[' => b']',
            _ => b'}',
        };
        let is_head = self.after_keyword;
        self.chain(1);
        self.push(closer);
        self.top().is_head = is_head;
        self.at += 1;
        self.token(if byte == b'{' { Last::Semicolon } else { Last::Operator });
    }

    fn push(&mut self, closer: u8) {
        self.frames.push(Frame { closer, ..Frame::default() });
        self.now.levels += 1;
        self.now.blocks += 1;
        self.deepest.levels = self.deepest.levels.max(self.now.levels);
        self.deepest.blocks = self.deepest.blocks.max(self.now.blocks);
    }

    /// A bracket that closes none is left to the parser to refuse.
    fn close(&mut self, byte: u8) {
        self.at += 1;
        let is_head = self.top().is_head && self.top().closer == byte;
        let in_template = byte == b'}' && self.top().closer == b'`';
        if self.top().closer == byte || in_template {
            self.end_statement();
            self.frames.pop();
            self.now.levels -= 1;
            self.now.blocks -= 1;
        }
        if in_template {
            self.template_text();
        }
        self.token(match byte {
            b')' if is_head => Last::Head,
            b')' => Last::Paren,
            b'}' if !in_template => Last::Brace,
            _ => Last::Operand,
        });
    }

    fn separator(&mut self, byte: u8) {
        self.at += 1;
        if byte == b';' {
            // Whether the statement is over, the next word says: `else` goes on with it.
            self.end_element();
            self.token(Last::Semicolon);
        } else {
            if self.top().angles == 0 {
                self.end_element();
            }
            self.token(Last::Operator);
        }
    }

    /// What cannot go on with what stands before it begins a statement or a line of its own.
    fn begin_operand(&mut self, word: &[u8]) {
        if is_one_of(&CONTINUING, word) {
            return;
        }
        let in_angles = self.top().angles > 0;
        match self.last {
            Last::Semicolon => self.end_statement(),
            _ if in_angles => {}
            Last::Brace => self.end_statement(),
            Last::Operand | Last::Paren if self.new_line => self.end_statement(),
            Last::Head => self.end_element(),
            _ => {}
        }
    }

    fn word(&mut self) {
        let end = word_end(self.source, self.at);
        let word = &self.source[self.at..end];
        let is_first = matches!(self.last, Last::Semicolon | Last::Brace) || self.new_line;
        let (after_else, after_keyword) = (self.after_else, self.after_keyword);
        self.begin_operand(word);
        self.at = end;
        if is_one_of(&NESTING_STATEMENTS, word) {
            self.nest_statement(word != b"else" && !after_else);
        } else if is_one_of(&KEYWORDS, word) {
            self.chain(1);
        }
        let wants_more = is_one_of(&KEYWORDS, word) && !is_one_of(&["get", "static", "is", "of", "type"], word);
        self.token(if wants_more { Last::Operator } else { Last::Operand });
        (self.after_else, self.is_label) = (word == b"else", is_first && !wants_more);
        self.after_keyword = is_one_of(&NESTING_STATEMENTS, word) || (after_keyword && word == b"await");
    }

    /// An operator; one that is repeated without a blank, such as `&&`, is one, but for those in front of an operand.
    fn operator(&mut self, byte: u8) {
        let same = self.source[self.at..].iter().take_while(|next| **next == byte).count();
        let levels = if b"!~<>@".contains(&byte) { same } else { 1 };
        match byte {
            b'<' => self.top().angles += same,
            b'>' if self.source.get(self.at.wrapping_sub(1)) != Some(&b'=') => {
                let top = self.top();
                top.angles = top.angles.saturating_sub(same);
            }
            _ => {}
        }
        if self.last == Last::Semicolon {
            self.end_statement();
        }
        if byte == b':' && self.is_label {
            // A label holds the statement behind it, which may have a label, too.
            self.nest_statement(false);
            self.at += 1;
            self.token(Last::Operator);
            self.new_line = true;
            return;
        }
        self.chain(levels);
        self.at += same;
        let is_postfix = matches!(byte, b'+' | b'-') && same == 2 && self.last != Last::Operator;
        if !is_postfix {
            self.token(Last::Operator);
        }
    }

    fn string(&mut self, quote: u8) {
        self.begin_operand(b"");
        self.at += 1;
        while let Some(byte) = self.source.get(self.at).copied() {
            self.at += if byte == b'\\' { 2 } else { 1 };
            if byte == quote || byte == b'\n' {
                break;
            }
        }
        self.token(Last::Operand);
    }

    fn template(&mut self) {
        self.chain(1);
        self.at += 1;
        self.template_text();
    }

    /// Text of a template up to its end, or to an expression in it.
    fn template_text(&mut self) {
        while let Some(byte) = self.source.get(self.at).copied() {
            self.at += 1;
            match byte {
                b'\\' => self.at += 1,
                b'`' => return self.token(Last::Operand),
                b'$' if self.source.get(self.at) == Some(&b'{') => {
                    self.at += 1;
                    self.push(b'`');
                    return self.token(Last::Operator);
                }
                _ => {}
            }
        }
    }

    /// A comment, a regular expression or a division.
    fn slash(&mut self) {
        let rest = &self.source[self.at..];
        let length = |end: Option<usize>| end.unwrap_or(rest.len());
        if rest.starts_with(b"//") {
            self.at += length(memchr::memchr(b'\n', rest));
        } else if rest.starts_with(b"/*") {
            let end = length(memchr::memmem::find(&rest[2..], b"*/").map(|end| end + 4));
            self.new_line |= memchr::memchr(b'\n', &rest[..end]).is_some();
            self.at += end;
        } else if let Some(end) =
            (!matches!(self.last, Last::Operand | Last::Paren)).then(|| regular_expression(rest)).flatten()
        {
            self.begin_operand(b"");
            self.at += end;
            self.token(Last::Operand);
        } else {
            self.operator(b'/');
        }
    }
}

/// The length of a regular expression on this line.
fn regular_expression(text: &[u8]) -> Option<usize> {
    let mut in_class = false;
    let mut at = 1;
    loop {
        match text.get(at)? {
            b'\n' => return None,
            b'\\' => at += 1,
            b'[' => in_class = true,
            b']' => in_class = false,
            b'/' if !in_class => return Some(at + 1),
            _ => {}
        }
        at += 1;
    }
}
