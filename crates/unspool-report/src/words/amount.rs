//! Figures as people read them.

/// `1 turn`, `2 turns`.
#[must_use]
pub fn count(number: u64, thing: &str) -> String {
    format!("{number} {thing}{}", if number == 1 { "" } else { "s" })
}

/// `412 ms`, `3.4 s`, `2m 05s`, `1h 02m`.
#[must_use]
pub fn duration(ms: u64) -> String {
    let seconds = ms.saturating_add(500) / 1000;
    match ms {
        0..1_000 => format!("{ms} ms"),
        1_000..59_950 => format!("{:.1} s", ms as f64 / 1000.0),
        _ if seconds < 3600 => format!("{}m {:02}s", seconds / 60, seconds % 60),
        _ => format!("{}h {:02}m", seconds / 3600, seconds % 3600 / 60),
    }
}

/// `950`, `1.2k`, `34k`, `5.6M`.
#[must_use]
pub fn tokens(number: u64) -> String {
    let scaled = |unit: f64, letter: char| {
        let value = number as f64 / unit;
        if value < 9.95 { format!("{value:.1}{letter}") } else { format!("{value:.0}{letter}") }
    };
    match number {
        0..1_000 => number.to_string(),
        1_000..999_500 => scaled(1e3, 'k'),
        999_500..999_500_000 => scaled(1e6, 'M'),
        _ => scaled(1e9, 'G'),
    }
}

/// `1,234,567`.
#[must_use]
pub fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let mut text = String::with_capacity(digits.len() * 4 / 3);
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// `$12.35`, `$0.0157`: four digits where two would say nothing.
#[must_use]
pub fn money(usd: f64) -> String {
    if usd == 0.0 || usd.abs() >= 1.0 { format!("${usd:.2}") } else { format!("${usd:.4}") }
}

/// A round figure that is not below so many milliseconds.
#[must_use]
pub fn round_step(least: u64) -> i64 {
    const STEPS: [i64; 22] = [
        1, 2, 5, 10, 20, 50, 100, 200, 500, 1_000, 2_000, 5_000, 10_000, 30_000, 60_000, 120_000, 300_000,
        600_000, 1_800_000, 3_600_000, 7_200_000, 21_600_000,
    ];
    let least = i64::try_from(least).unwrap_or(i64::MAX);
    let days = least.div_euclid(86_400_000).saturating_add(1).saturating_mul(86_400_000);
    STEPS.into_iter().find(|step| *step >= least).unwrap_or(days)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn figures_read_well() {
        let durations = [0, 999, 1_000, 59_949, 59_950, 125_000, 3_599_400, 3_720_000].map(duration);
        assert_eq!(durations, ["0 ms", "999 ms", "1.0 s", "59.9 s", "1m 00s", "2m 05s", "59m 59s", "1h 02m"]);
        let amounts = [0, 999, 1_000, 9_949, 9_950, 34_400, 999_499, 999_500, 5_640_000].map(tokens);
        assert_eq!(amounts, ["0", "999", "1.0k", "9.9k", "10k", "34k", "999k", "1.0M", "5.6M"]);
        assert_eq!([0.0, 0.015_687_6, 0.99999, 12.345].map(money), ["$0.00", "$0.0157", "$1.0000", "$12.35"]);
        assert_eq!([0, 999, 1_000, 12_345_678].map(grouped), ["0", "999", "1,000", "12,345,678"]);
        assert_eq!([count(1, "turn"), count(0, "turn")], ["1 turn", "0 turns"]);
    }
}
