//! From positions in translated code to those in the file that was translated.

use oxc_sourcemap::SourceMap;

/// Positions of one file, in the order of the translated code. Lines and columns count from 0.
#[derive(Debug, Default)]
pub(crate) struct Positions(Vec<Pair>);

#[derive(Debug)]
struct Pair {
    to: (u32, u32),
    from: (u32, u32),
}

impl Positions {
    pub(super) fn of(map: &SourceMap<'_>) -> Self {
        let pairs = map.get_tokens().map(|token| Pair {
            to: (token.get_dst_line(), token.get_dst_col()),
            from: (token.get_src_line(), token.get_src_col()),
        });
        Self(pairs.collect())
    }

    /// Where what stands at `line` and `column` of the translated code came from. All count from 1.
    pub(crate) fn original(&self, line: u32, column: u32) -> Option<(u32, u32)> {
        let place = (line.checked_sub(1)?, column.saturating_sub(1));
        let behind = self.0.partition_point(|pair| pair.to <= place);
        let pair = self.0.get(behind.checked_sub(1)?)?;
        (pair.to.0 == place.0).then_some((pair.from.0 + 1, pair.from.1 + 1))
    }
}
