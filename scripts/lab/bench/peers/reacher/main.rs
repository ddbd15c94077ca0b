//! Asks about u0@d0.test, u0@d1.test … with Reacher's library. It takes a load and prints figures as load.ts says.

use std::ops::Range;
use std::time::{Duration, Instant};

use check_if_email_exists::smtp::verif_method::{
    EverythingElseVerifMethod, VerifMethod, VerifMethodSmtpConfig,
};
use check_if_email_exists::{check_email, CheckEmailInputBuilder};
use futures::stream::{self, StreamExt};
use rustix::time::{clock_gettime, ClockId};
use serde::Deserialize;

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Load {
    domains: usize,
    concurrency: usize,
    warm_up_domains: usize,
}

async fn is_accepted(domain: usize) -> bool {
    let input = CheckEmailInputBuilder::default()
        .to_email(format!("u0@d{domain}.test"))
        .verif_method(VerifMethod {
            everything_else: EverythingElseVerifMethod::Smtp(VerifMethodSmtpConfig {
                hello_name: "probe.bench.test".into(),
                from_email: "probe@bench.test".into(),
                ..Default::default()
            }),
            ..Default::default()
        })
        .build()
        .expect("every other field has a default");
    let smtp = check_email(&input).await.smtp;
    matches!(smtp, Ok(found) if found.is_deliverable && !found.is_catch_all)
}

/// Asks about these domains and counts those that accept.
async fn run(concurrency: usize, domains: Range<usize>) -> usize {
    stream::iter(domains)
        // A task each, so that every core takes part.
        .map(|domain| tokio::spawn(is_accepted(domain)))
        .buffer_unordered(concurrency)
        .filter(|accepted| std::future::ready(matches!(accepted, Ok(true))))
        .count()
        .await
}

fn cpu() -> Duration {
    let used = clock_gettime(ClockId::ProcessCPUTime);
    Duration::new(used.tv_sec as u64, used.tv_nsec as u32)
}

fn ms(duration: Duration) -> f64 {
    duration.as_secs_f64() * 1000.0
}

#[tokio::main]
async fn main() {
    let argument = std::env::args().nth(1).expect("a load");
    let load: Load = serde_json::from_str(&argument).expect("a load");
    run(load.concurrency, load.domains..load.domains + load.warm_up_domains).await;
    let (used_before, started) = (cpu(), Instant::now());
    let accepted = run(load.concurrency, 0..load.domains).await;
    let figures = serde_json::json!({
        "wallMs": ms(started.elapsed()),
        "cpuMs": ms(cpu() - used_before),
        "outcomes": { "accepted": accepted },
    });
    println!("{figures}");
}
