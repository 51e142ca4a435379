//! Numbers and counts in words.

/// A number with so many decimals, or with three digits and a power of ten where that would be unreadable or all zeros.
pub fn number(value: f64, decimals: i32) -> String {
    let one = 10_f64.powi(decimals);
    if value == 0.0 {
        return format!("{:.*}", decimals as usize, 0.0);
    }
    if !((1.0 / one)..(10.0 * one)).contains(&value.abs()) {
        return format!("{value:.2e}");
    }
    format!("{value:.*}", decimals as usize)
}

/// A p value with three decimals.
pub fn p_value(p: f64) -> String {
    if p < 0.001 { "< 0.001".to_owned() } else { format!("{p:.3}") }
}

/// “1 item”, “2 items”.
pub fn plural(n: usize, what: &str) -> String {
    format!("{n} {what}{}", if n == 1 { "" } else { "s" })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_stay_narrow_and_are_never_minus_zero() {
        let shown = [0.0, -0.0, 0.12345, -1.5, 9999.0, 12345.0, 1e30, 0.00012, -1e-9];
        let shown = shown.map(|value| number(value, 3));
        assert_eq!(
            shown,
            ["0.000", "0.000", "0.123", "-1.500", "9999.000", "1.23e4", "1.00e30", "1.20e-4", "-1.00e-9"]
        );
        assert_eq!(
            (number(-12345.5, 6), number(-0.0, 6)),
            ("-12345.500000".to_owned(), "0.000000".to_owned())
        );
    }

    #[test]
    fn one_is_not_many() {
        assert_eq!([0, 1, 2].map(|n| plural(n, "item")), ["0 items", "1 item", "2 items"]);
    }
}
