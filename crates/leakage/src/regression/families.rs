//! Which of many coefficients still say something?
//!
//! Under each choice there are three families, each adjusted alone (Holm; Benjamini and Hochberg): leaks (people of another
//! language than the target), own effects, and monolingual models; of all runs and targets together. A coefficient without
//! a p of t enters with that of z.

use stereometer_record::{LeakageCoefficient, LeakageFit, Predictor};
use stereometer_stats::{benjamini_hochberg, holm};

use super::CHOICES;

#[derive(Clone, Copy, PartialEq, Eq)]
enum Family {
    Leak,
    Own,
    Monolingual,
}

/// Fills in the adjusted p values.
pub fn adjust(fits: &mut [LeakageFit]) {
    for choice in CHOICES {
        for family in [Family::Leak, Family::Own, Family::Monolingual] {
            let members =
                fits.iter().enumerate().filter(|(_, fit)| fit.choice == choice).flat_map(|(place, fit)| {
                    let own = fit.coefficients.iter().enumerate();
                    own.filter(move |(_, one)| family_of(fit, one) == family)
                        .map(move |(coefficient, one)| ((place, coefficient), p(one)))
                });
            let (places, p): (Vec<(usize, usize)>, Vec<f64>) = members.unzip();
            for ((place, coefficient), (holm, bh)) in
                places.into_iter().zip(holm(&p).into_iter().zip(benjamini_hochberg(&p)))
            {
                let found = &mut fits[place].coefficients[coefficient];
                (found.holm, found.bh) = (holm, bh);
            }
        }
    }
}

fn family_of(fit: &LeakageFit, coefficient: &LeakageCoefficient) -> Family {
    match &coefficient.predictor {
        Predictor::People(language) if *language == fit.target => Family::Own,
        Predictor::People(_) => Family::Leak,
        Predictor::Monolingual(_) => Family::Monolingual,
    }
}

fn p(coefficient: &LeakageCoefficient) -> f64 {
    coefficient.p_t.unwrap_or(coefficient.p_z)
}
