//! What the built-in models cost: one look-up, all models of a provider, all models.
//!
//! A look-up must stay far below a millisecond also in a fresh process; nothing is cached, so the time of a repeated one
//! is that of the first, page faults aside. Run with `cargo bench -p pi-ai --bench catalog`.

#![allow(missing_docs, reason = "criterion's macros generate undocumented items")]

use std::hint::black_box;

use criterion::{BenchmarkId, Criterion, criterion_group, criterion_main};
use pi_ai::{get_model, get_models, get_providers};

/// Provider and id: the largest provider, one with several ways of speaking, an early and a late one.
const MODELS: [(&str, &str); 4] = [
    ("openrouter", "z-ai/glm-5"),
    ("opencode", "gpt-5.4"),
    ("amazon-bedrock", "eu.anthropic.claude-opus-4-8"),
    ("zai-coding-cn", "glm-5.2"),
];

fn measure(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("catalog");
    for (provider, id) in MODELS {
        assert!(get_model(provider, id).is_some(), "{provider}/{id}");
        group.bench_function(BenchmarkId::new("one model", format!("{provider}/{id}")), |bencher| {
            bencher.iter(|| get_model(black_box(provider), black_box(id)));
        });
    }
    group.bench_function("no such model", |bencher| {
        bencher.iter(|| get_model(black_box("openrouter"), black_box("no")));
    });
    group.bench_function("models of openrouter", |bencher| {
        bencher.iter(|| get_models(black_box("openrouter")));
    });
    group.bench_function("all models", |bencher| {
        bencher.iter(|| get_providers().map(|provider| get_models(provider).len()).sum::<usize>());
    });
    group.finish();
}

criterion_group!(benches, measure);
criterion_main!(benches);
