//! Operations a second of the matrix product alone, in each dtype, as one line of JSON; `benches/compare.sh` sets the
//! speed of whole models against it: `cargo run --release -p stereometer-engine --example peak -- [THREADS]`.

use stereometer_engine::{Dtype, EngineError, product_speed};

fn main() -> Result<(), EngineError> {
    let threads = std::env::args().nth(1).and_then(|text| text.parse().ok()).unwrap_or(0);
    let speed = |dtype| product_speed(dtype, threads, 40);
    println!(
        "{{\"f32\": {:.4e}, \"bf16\": {:.4e}, \"q8\": {:.4e}}}",
        speed(Dtype::F32)?,
        speed(Dtype::Bf16)?,
        speed(Dtype::Q8)?
    );
    Ok(())
}
