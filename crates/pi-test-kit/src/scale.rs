//! How often a suite repeats itself: few times in `cargo test`, many times under `.ci/long`.

/// `long` repetitions when `PI_TEST_SCALE=long` (set by `.ci/long`), else `short`.
pub fn scale(short: usize, long: usize) -> usize {
    if std::env::var("PI_TEST_SCALE").is_ok_and(|scale| scale == "long") { long } else { short }
}
