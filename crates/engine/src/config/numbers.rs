//! Numbers of a configuration that can only make nonsense of the products.

use super::HubConfig;
use crate::EngineError;

/// What a norm's epsilon may be, unless it is that.
pub(crate) fn not_an_eps(value: f64) -> Option<&'static str> {
    (!(0.0..=1.0).contains(&value)).then_some("a number from 0 to 1 is needed")
}

/// What a factor, a bound or a divisor may be, unless it is that. Single precision holds the range and its roots.
pub(crate) fn not_a_scale(value: f64) -> Option<&'static str> {
    (!(1e-30..=1e30).contains(&value)).then_some("a number from 1e-30 to 1e30 is needed")
}

impl HubConfig {
    /// A norm's epsilon.
    pub(crate) fn eps(&self, key: &str, value: f64) -> Result<f64, EngineError> {
        self.number(key, value, not_an_eps)
    }

    /// A factor or a divisor.
    pub(crate) fn scale(&self, key: &str, value: f64) -> Result<f64, EngineError> {
        self.number(key, value, not_a_scale)
    }

    /// A soft bound, if there is one.
    pub(crate) fn cap(&self, key: &str, value: Option<f32>) -> Result<Option<f32>, EngineError> {
        value.map(|cap| self.scale(key, f64::from(cap)).map(|_| cap)).transpose()
    }

    fn number(
        &self,
        key: &str,
        value: f64,
        not: fn(f64) -> Option<&'static str>,
    ) -> Result<f64, EngineError> {
        match not(value) {
            None => Ok(value),
            // The file's own spelling, where the key is on top.
            Some(needed) => match self.keys.get(key) {
                Some(written) => Err(self.unsupported(key, written, needed)),
                None => Err(self.unsupported(key, &value, needed)),
            },
        }
    }
}
