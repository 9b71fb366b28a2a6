//! Instants as text: `2026-11-21T20:14:22.840Z`, the form in which session files carry time.

use time::OffsetDateTime;
use time::format_description::BorrowedFormatItem;
use time::format_description::well_known::Rfc3339;
use time::macros::format_description;

const ISO: &[BorrowedFormatItem<'_>] =
    format_description!("[year]-[month]-[day]T[hour]:[minute]:[second].[subsecond digits:3]Z");

/// The text of a Unix time in milliseconds; an instant out of range becomes 1970.
pub fn to_iso(unix_ms: i64) -> String {
    let instant = OffsetDateTime::from_unix_timestamp_nanos(i128::from(unix_ms) * 1_000_000);
    instant.unwrap_or(OffsetDateTime::UNIX_EPOCH).format(ISO).unwrap_or_default()
}

/// The Unix time in milliseconds of an ISO text.
pub(crate) fn from_iso(text: &str) -> Option<i64> {
    let instant = OffsetDateTime::parse(text, &Rfc3339).ok()?;
    i64::try_from(instant.unix_timestamp_nanos() / 1_000_000).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_and_instant_agree() {
        assert_eq!(to_iso(1_795_292_062_840), "2026-11-21T20:14:22.840Z");
        assert_eq!(from_iso("2026-11-21T20:14:22.840Z"), Some(1_795_292_062_840));
        assert_eq!(from_iso("2026-11-21T21:14:22.84+01:00"), Some(1_795_292_062_840));
        assert_eq!(from_iso("yesterday"), None);
        assert_eq!(to_iso(i64::MAX), "1970-01-01T00:00:00.000Z");
    }
}
