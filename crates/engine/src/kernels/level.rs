//! Which instructions this machine has.

/// The instruction set that the kernels use. A value other than [`Level::PORTABLE`] proves that the machine has it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Level(Set);

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Set {
    Portable,
    #[cfg(target_arch = "x86_64")]
    Avx2,
    #[cfg(target_arch = "x86_64")]
    Avx512,
    /// With `vpdpbusd`, the product of bytes.
    #[cfg(target_arch = "x86_64")]
    Avx512Vnni,
    /// With `vpdpbusd`, and `vdpbf16ps`, the product of bf16 pairs.
    #[cfg(target_arch = "x86_64")]
    Avx512Bf16,
}

impl Level {
    /// Plain Rust for the target the program was compiled for.
    pub const PORTABLE: Self = Self(Set::Portable);

    /// All levels that this machine can run, the fastest first.
    pub fn available() -> Vec<Self> {
        let mut levels = Vec::with_capacity(5);
        #[cfg(target_arch = "x86_64")]
        {
            if is_x86_feature_detected!("avx512f")
                && is_x86_feature_detected!("avx512bw")
                && is_x86_feature_detected!("avx512dq")
                && is_x86_feature_detected!("avx512vl")
            {
                if is_x86_feature_detected!("avx512vnni") {
                    if is_x86_feature_detected!("avx512bf16") {
                        levels.push(Self(Set::Avx512Bf16));
                    }
                    levels.push(Self(Set::Avx512Vnni));
                }
                levels.push(Self(Set::Avx512));
            }
            if is_x86_feature_detected!("avx2") && is_x86_feature_detected!("fma") {
                levels.push(Self(Set::Avx2));
            }
        }
        levels.push(Self::PORTABLE);
        levels
    }

    /// The fastest level of this machine.
    pub fn detect() -> Self {
        Self::available()[0]
    }

    pub(super) fn set(self) -> Set {
        self.0
    }

    /// Whether products of bf16 have an instruction of their own.
    pub(crate) fn multiplies_pairs(self) -> bool {
        match self.0 {
            Set::Portable => false,
            #[cfg(target_arch = "x86_64")]
            Set::Avx2 | Set::Avx512 | Set::Avx512Vnni => false,
            #[cfg(target_arch = "x86_64")]
            Set::Avx512Bf16 => true,
        }
    }

    /// Name for the record.
    pub fn name(self) -> &'static str {
        match self.0 {
            Set::Portable => "portable",
            #[cfg(target_arch = "x86_64")]
            Set::Avx2 => "avx2",
            #[cfg(target_arch = "x86_64")]
            Set::Avx512 => "avx512",
            #[cfg(target_arch = "x86_64")]
            Set::Avx512Vnni => "avx512-vnni",
            #[cfg(target_arch = "x86_64")]
            Set::Avx512Bf16 => "avx512-bf16",
        }
    }
}
