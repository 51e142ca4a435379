//! One body in portable Rust, compiled once for each instruction set.

/// Whether the portable build rounds a product and a sum once (the target has fused multiply-add) or twice.
pub(super) const PORTABLE_FMA: bool = cfg!(any(target_feature = "fma", target_arch = "aarch64"));

/// a·b + c, fused where the instruction set has it: `mul_add` without the instruction is a slow library call.
#[inline(always)]
pub(super) fn fma<const FMA: bool>(a: f32, b: f32, c: f32) -> f32 {
    if FMA { a.mul_add(b, c) } else { a * b + c }
}

/// Defines `fn name(level, arguments…)`, which runs `body::<FMA>(arguments…)` as compiled for that level.
macro_rules! per_level {
    ($(#[$doc:meta])* $vis:vis fn $name:ident($($arg:ident: $ty:ty),* $(,)?) $(-> $ret:ty)? = $body:ident) => {
        $(#[$doc])*
        #[allow(unsafe_code)]
        $vis fn $name(level: $crate::kernels::Level, $($arg: $ty),*) $(-> $ret)? {
            #[cfg(target_arch = "x86_64")]
            #[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl")]
            fn avx512($($arg: $ty),*) $(-> $ret)? {
                $body::<true>($($arg),*)
            }
            #[cfg(target_arch = "x86_64")]
            #[target_feature(enable = "avx2,fma")]
            fn avx2($($arg: $ty),*) $(-> $ret)? {
                $body::<true>($($arg),*)
            }
            match level.set() {
                $crate::kernels::level::Set::Portable => {
                    $body::<{ $crate::kernels::dispatch::PORTABLE_FMA }>($($arg),*)
                }
                // SAFETY: a `Level` of this kind is only made where the instructions were detected.
                #[cfg(target_arch = "x86_64")]
                $crate::kernels::level::Set::Avx2 => unsafe { avx2($($arg),*) },
                // SAFETY: as above.
                #[cfg(target_arch = "x86_64")]
                $crate::kernels::level::Set::Avx512
                | $crate::kernels::level::Set::Avx512Vnni
                | $crate::kernels::level::Set::Avx512Bf16 => unsafe { avx512($($arg),*) },
            }
        }
    };
}
pub(super) use per_level;
