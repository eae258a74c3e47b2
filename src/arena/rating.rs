//! One rating for each engine, computed from all games together.
//!
//! This is the logistic model of Elo (Bradley and Terry, 1952) with an advantage for the
//! first mover, fitted by maximum likelihood; a draw counts as half a win and half a
//! loss. The ratings that Ordo computes solve the same equations: every engine's expected
//! points equal its actual ones. The error bars come from the scatter of the pairs around
//! the fit (a sandwich estimator with the pair as its unit), so that games that belong
//! together do not count as independent.

use std::collections::BTreeMap;

use super::stats::{ELO_PER_LOGIT, MIN_PAIRS, Z95};
use super::tally::Tally;

/// In Elo points.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) struct Rating {
    pub elo: f64,
    /// Half the width of the 95 % interval.
    pub error: f64,
}

pub(crate) struct Ratings {
    /// The engines; their mean is 0. `None` for one that no games connect, directly or
    /// through others, with the first that played.
    pub engines: Vec<Option<Rating>>,
    /// Advantage of the first mover.
    pub first_mover: Rating,
    /// Whether the likelihood has no finite maximum, for example because an engine won
    /// all its games. A drawn pair was added to every meeting then.
    pub padded: bool,
}

/// The games of one engine that moves first against another, and its points.
#[derive(Clone, Copy, Default)]
struct PointSum {
    games: f64,
    points: f64,
}

type Sums = BTreeMap<[usize; 2], PointSum>;

/// Pairs with the same results.
struct Pairs {
    count: f64,
    /// Of each game of such a pair: who moves first against whom, and the first mover's points.
    games: Vec<([usize; 2], f64)>,
}

impl Ratings {
    /// Returns the rating of an engine, unless its `games` are too few for one.
    pub(crate) fn of_engine(&self, engine: usize, games: u64) -> Option<Rating> {
        self.engines[engine].filter(|_| games >= 2 * MIN_PAIRS)
    }
}

/// Computes the ratings from the games of a match that count.
pub(crate) fn of_match(tally: &Tally) -> Ratings {
    let mut all = Vec::new();
    for (&[a, b], meeting) in &tally.meetings {
        for (half_points, count) in meeting.results() {
            let games = [[a, b], [b, a]].into_iter().zip(half_points);
            let games = games.filter_map(|(by, half)| Some((by, f64::from(half?) / 2.0)));
            all.push(Pairs {
                count: count as f64,
                games: games.collect(),
            });
        }
    }
    fit(tally.engines.len(), &all)
}

fn fit(engines: usize, pairs: &[Pairs]) -> Ratings {
    let mut sums = Sums::new();
    for pair in pairs {
        for &(engines, points) in &pair.games {
            let sum = sums.entry(engines).or_default();
            sum.games += pair.count;
            sum.points += pair.count * points;
        }
    }
    let mut theta = maximise(engines, &sums);
    // A result is as good as certain, which no finite maximum can express. Either an
    // engine took no points from the others, or its strength and the advantage of the
    // first mover grow together, as for an engine that loses only when it moves second.
    let padded = sums.keys().any(|&key| {
        let p = expected(&theta, key);
        p.min(1.0 - p) < 1e-9
    });
    if padded {
        let met: Vec<[usize; 2]> = sums.keys().copied().collect();
        for [a, b] in met {
            for key in [[a, b], [b, a]] {
                let sum = sums.entry(key).or_default();
                sum.games += 0.5;
                sum.points += 0.25;
            }
        }
        theta = maximise(engines, &sums);
    }
    let is_rated = connected(engines, &sums);
    let rated = (0..engines).filter(|&i| is_rated[i]);
    let mean = rated.clone().map(|i| theta[i]).sum::<f64>() / rated.count().max(1) as f64;
    let variances = variances(&sums, &theta, pairs);
    let rating = |i: usize, zero: f64| Rating {
        elo: (theta[i] - zero) * ELO_PER_LOGIT,
        error: variances[i].max(0.0).sqrt() * ELO_PER_LOGIT * Z95,
    };
    let of_engine = |i: usize| is_rated[i].then(|| rating(i, mean));
    Ratings {
        engines: (0..engines).map(of_engine).collect(),
        first_mover: rating(engines, 0.0),
        padded,
    }
}

/// Returns which engines games connect, directly or through others, with the first that
/// played: games compare no others.
fn connected(engines: usize, sums: &Sums) -> Vec<bool> {
    let mut group: Vec<usize> = (0..engines).collect();
    for &[a, b] in sums.keys() {
        let (from, to) = (group[b], group[a]);
        let joined = group.iter_mut().filter(|it| **it == from);
        joined.for_each(|it| *it = to);
    }
    let first = sums.keys().next().map(|&[a, _]| group[a]);
    group.into_iter().map(|it| Some(it) == first).collect()
}

/// Returns the expected points of `a` moving first against `b`. The last parameter is the
/// first mover's advantage.
fn expected(theta: &[f64], [a, b]: [usize; 2]) -> f64 {
    1.0 / (1.0 + (theta[b] - theta[a] - theta[theta.len() - 1]).exp())
}

/// Newton's method with a bound on the steps.
fn maximise(engines: usize, sums: &Sums) -> Vec<f64> {
    let mut theta = vec![0.0; engines + 1];
    for _ in 0..200 {
        let mut gradient = vec![0.0; engines + 1];
        for (&key, sum) in sums {
            let surplus = sum.points - sum.games * expected(&theta, key);
            add_direction(&mut gradient, key, surplus);
        }
        let Some(inverse) = invert(information(sums, &theta)) else {
            break;
        };
        let step: Vec<f64> = inverse.iter().map(|row| dot(row, &gradient)).collect();
        let longest = step.iter().fold(0f64, |most, s| most.max(s.abs()));
        for (value, step) in theta.iter_mut().zip(&step) {
            *value += step / longest.max(1.0);
        }
        if longest < 1e-10 {
            break;
        }
    }
    theta
}

/// Adds the gradient of `a` moving first against `b`: +1, -1 and the advantage.
fn add_direction(vector: &mut [f64], [a, b]: [usize; 2], weight: f64) {
    vector[a] += weight;
    vector[b] -= weight;
    vector[vector.len() - 1] += weight;
}

/// The information matrix, with a tiny ridge that fixes the sum of the ratings, which the
/// games do not determine.
fn information(sums: &Sums, theta: &[f64]) -> Vec<Vec<f64>> {
    let size = theta.len();
    let ridge = |i| (0..size).map(|j| if i == j { 1e-9 } else { 0.0 }).collect();
    let mut matrix: Vec<Vec<f64>> = (0..size).map(ridge).collect();
    for (&key, sum) in sums {
        let p = expected(theta, key);
        let mut direction = vec![0.0; size];
        add_direction(&mut direction, key, 1.0);
        add_square(&mut matrix, &direction, sum.games * p * (1.0 - p));
    }
    matrix
}

fn add_square(matrix: &mut [Vec<f64>], vector: &[f64], weight: f64) {
    for (row, &a) in matrix.iter_mut().zip(vector) {
        for (entry, &b) in row.iter_mut().zip(vector) {
            *entry += weight * a * b;
        }
    }
}

fn dot(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

/// The diagonal of `H^-1 S H^-1`, where `S` sums the squared scores of the pairs, with the
/// mean rating held at 0.
fn variances(sums: &Sums, theta: &[f64], pairs: &[Pairs]) -> Vec<f64> {
    let size = theta.len();
    let mut scores = Vec::new();
    for pair in pairs {
        let mut score = vec![0.0; size];
        for &(engines, points) in &pair.games {
            add_direction(&mut score, engines, points - expected(theta, engines));
        }
        scores.push((pair.count, score));
    }
    // A few equal pairs show no scatter. Two pairs that might have gone otherwise keep
    // the error from vanishing, and hardly count among many.
    for &[a, b] in sums.keys().filter(|[a, b]| a < b) {
        let mut score = vec![0.0; size];
        (score[a], score[b]) = (1.0, -1.0);
        scores.push((2.0, score));
    }
    // A constraint as strong as the data fixes the sum of the ratings.
    let mut held = information(sums, theta);
    let ones: Vec<f64> = (0..size).map(|i| f64::from(i + 1 < size)).collect();
    add_square(&mut held, &ones, 1.0);
    let Some(inverse) = invert(held) else {
        return vec![f64::INFINITY; size];
    };
    let variance = |row: &Vec<f64>| {
        let squares = scores
            .iter()
            .map(|(count, score)| count * dot(row, score).powi(2));
        squares.sum()
    };
    inverse.iter().map(variance).collect()
}

/// Gauss-Jordan inversion with pivoting; `None` for a singular matrix.
fn invert(mut matrix: Vec<Vec<f64>>) -> Option<Vec<Vec<f64>>> {
    let size = matrix.len();
    for (i, row) in matrix.iter_mut().enumerate() {
        row.extend((0..size).map(|j| f64::from(i == j)));
    }
    for column in 0..size {
        let pivot = (column..size)
            .max_by(|&a, &b| matrix[a][column].abs().total_cmp(&matrix[b][column].abs()))?;
        if matrix[pivot][column].abs() < 1e-14 {
            return None;
        }
        matrix.swap(column, pivot);
        let scale = 1.0 / matrix[column][column];
        let scaled: Vec<f64> = matrix[column].iter().map(|entry| entry * scale).collect();
        for row in &mut matrix {
            let factor = row[column];
            for (entry, other) in row.iter_mut().zip(&scaled) {
                *entry -= factor * other;
            }
        }
        matrix[column] = scaled;
    }
    Some(matrix.into_iter().map(|row| row[size..].to_vec()).collect())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::arena::stats::{Pentanomial, elo_of_score, score_of_elo};
    use totemic_engine::game::{Outcome, Rng, Side};

    /// Makes the games of pairs; each leg says who moves first against whom, and the
    /// result.
    fn games(legs: impl IntoIterator<Item = ([usize; 2], Outcome)>) -> Vec<Pairs> {
        let points =
            |(engines, result): ([usize; 2], Outcome)| (engines, result.points(Side::First));
        let legs: Vec<_> = legs.into_iter().map(points).collect();
        let pairs = legs.chunks(2).map(<[_]>::to_vec);
        pairs.map(|games| Pairs { count: 1.0, games }).collect()
    }

    /// With two engines and equal sides the fit must be the Elo of the score, and its
    /// error must be that of the pentanomial estimate.
    #[test]
    fn two_engines_agree_with_the_pentanomial_estimate() {
        let mut rng = Rng::new(3);
        let legs: Vec<_> = (0..800)
            .map(|leg| {
                let (engines, wins) = [([0, 1], 55), ([1, 0], 45)][leg % 2];
                let result = match rng.below(100) {
                    n if n < wins => Outcome::Win(Side::First),
                    n if n < wins + 5 => Outcome::Draw,
                    _ => Outcome::Win(Side::Second),
                };
                (engines, result)
            })
            .collect();
        let mut pairs = Pentanomial::default();
        for two in legs.chunks(2) {
            pairs.add(two[0].1.half_points(Side::First) + two[1].1.half_points(Side::Second));
        }
        let fitted = fit(2, &games(legs));
        let estimate = pairs.estimate().expect("pairs");
        let [one, two] = [0, 1].map(|engine| fitted.engines[engine].expect("played"));
        let difference = one.elo - two.elo;
        assert!((difference - estimate.elo).abs() < 0.2, "{difference}");
        // Each rating is half the difference, and its error is half that of the
        // difference.
        let elo_error = (estimate.elo_high - estimate.elo_low) / 2.0;
        assert!((2.0 * one.error - elo_error).abs() < 0.5);
        assert!(!fitted.padded);
    }

    /// The equations of Ordo: expected points equal actual ones.
    #[test]
    fn expected_points_are_actual_points() {
        let strength = [0.0, 150.0, -80.0, 40.0];
        let mut rng = Rng::new(9);
        let meetings = (0..4).flat_map(|a| (a + 1..4).flat_map(move |b| [[a, b], [b, a]]));
        let meetings: Vec<[usize; 2]> = meetings.collect();
        let records = games(meetings.iter().cycle().take(2400).map(|&[x, y]| {
            let p = score_of_elo(strength[x] - strength[y] + 30.0);
            let won = (rng.below(1_000_000) as f64) < p * 1e6;
            let result = [Outcome::Win(Side::Second), Outcome::Win(Side::First)][usize::from(won)];
            ([x, y], result)
        }));
        let fitted = fit(4, &records);
        let rating = |engine: usize| fitted.engines[engine].expect("played");
        let first_mover = fitted.first_mover;
        let mean = strength.iter().sum::<f64>() / 4.0;
        for (engine, strength) in strength.into_iter().enumerate() {
            let games = records.iter().flat_map(|pair| &pair.games);
            let surplus = games.map(|&([x, y], points)| {
                let expected = score_of_elo(rating(x).elo - rating(y).elo + first_mover.elo);
                let sign = f64::from(i8::from(x == engine) - i8::from(y == engine));
                sign * (points - expected)
            });
            assert!(surplus.sum::<f64>().abs() < 1e-4);
            let Rating { elo, error } = rating(engine);
            let off = (elo - (strength - mean)).abs();
            assert!(off < 2.0 * error, "{off}");
        }
        assert!((first_mover.elo - 30.0).abs() < 2.0 * first_mover.error);
    }

    /// The second case is an engine that wins all games as the first mover and some as
    /// the second: its rating and the first mover's advantage would grow together.
    #[test]
    fn one_sided_results_stay_finite() {
        use Outcome::{Draw, Win};
        use Side::{First, Second};
        let second = |pair| match pair {
            0..11 => Win(First),
            11..13 => Draw,
            _ => Win(Second),
        };
        let runaway = (0..30).flat_map(|pair| [([0, 1], Win(First)), ([1, 0], second(pair))]);
        for (games, score) in [
            (games([([0, 1], Win(First)), ([1, 0], Win(Second))]), 0.6),
            (games(runaway), 48.0 / 60.0),
        ] {
            let fitted = fit(3, &games);
            let [one, two] = [0, 1].map(|engine| fitted.engines[engine].expect("played"));
            assert!(fitted.padded && (10.0..1000.0).contains(&one.error));
            let difference = one.elo - two.elo;
            assert!(
                (elo_of_score(score)..1000.0).contains(&difference),
                "{difference}"
            );
            let Rating { elo, error } = fitted.first_mover;
            assert!(elo.abs() < 1000.0 && error < 1000.0);
            assert_eq!(fitted.engines[2], None);
        }
        assert_eq!(fit(2, &[]).engines, [None, None]);
        // Nothing compares two engines with two others that only met one another.
        let apart = [[1, 3], [3, 1], [2, 4], [4, 2]].map(|engines| (engines, Draw));
        let engines = fit(5, &games(apart)).engines;
        let is_rated = Vec::from_iter(engines.iter().map(Option::is_some));
        assert_eq!(is_rated, [false, true, false, true, false]);
    }
}
