//! What whoever waits for an answer is told of it.

use std::time::Instant;

use super::Info;

/// The lines of an answer that is found in several stages. A line that nothing can
/// change any more is told once, and again only beside others of its depth that are
/// news, so that no rank is missing; those that the answer gives were always told, the
/// last of them with all nodes.
pub(super) struct Telling<M, F> {
    on_info: F,
    begin: Instant,
    /// Nodes of the stages that are over.
    nodes: u64,
    /// Depth that lines have to go beyond to be news.
    depth: u32,
    /// The lines as they were told last, best first.
    lines: Vec<Info<M>>,
    /// Lines of the depth at hand that are no news by themselves; `None` once another
    /// one was.
    held_back: Option<Vec<Info<M>>>,
}

impl<M: Copy + PartialEq, F: FnMut(&Info<M>)> Telling<M, F> {
    /// Nothing is told yet of an answer that was asked for at `begin`.
    pub(super) fn new(begin: Instant, on_info: F) -> Self {
        Self {
            on_info,
            begin,
            nodes: 0,
            depth: 0,
            lines: Vec::new(),
            held_back: None,
        }
    }

    /// A stage is over: what the next one finds of less depth is no news, proved or
    /// not, before it is the answer.
    pub(super) fn next_stage(&mut self, nodes: u64) {
        self.nodes += nodes;
        self.depth = self
            .lines
            .first()
            .map_or(0, |line| line.depth.max(self.depth));
    }

    /// Tells a line with the nodes of its stage, if it or another of its depth is news
    /// and no earlier stage looked as deep.
    pub(super) fn line(&mut self, mut info: Info<M>) {
        if info.depth <= self.depth {
            return;
        }
        let is_news = self.is_news(&info);
        info.nodes += self.nodes;
        let rank = info.multipv - 1;
        if rank == 0 {
            self.held_back = Some(Vec::new());
        }
        match &mut self.held_back {
            Some(held_back) if !is_news => held_back.push(info),
            held_back => {
                let held_back = held_back.take().into_iter().flatten();
                for info in held_back.chain([info]) {
                    self.tell(info.multipv - 1, info);
                }
            }
        }
    }

    /// Whether a line says more than the last of its rank.
    fn is_news(&self, info: &Info<M>) -> bool {
        let old = self.lines.get(info.multipv - 1);
        !(info.proven && old.is_some_and(|old| says_the_same(old, info)))
    }

    /// Tells the lines of the answer as far as they are news, those last told
    /// where there are no deeper ones; gives them back with all nodes.
    pub(super) fn finish(mut self, lines: Vec<Info<M>>, nodes: u64) -> (Vec<Info<M>>, u64) {
        let nodes = self.nodes + nodes;
        let is_news = |line: &Info<M>| line.proven || line.depth > self.depth;
        let mut last = if self.lines.is_empty() || lines.first().is_some_and(is_news) {
            lines
        } else {
            self.lines.clone()
        };
        // A stage that ended early knows fewer lines than were told, and those told
        // last must not name a move twice.
        for old in &self.lines {
            let rank = last.len();
            let is_known = last.iter().any(|line| line.pv.first() == old.pv.first());
            if rank < self.lines.len() && !is_known {
                last.push(Info {
                    multipv: rank + 1,
                    ..old.clone()
                });
            }
        }
        last.iter_mut().for_each(|line| line.nodes = nodes);
        let count = last.len();
        let is_told = |(rank, line): (usize, &Info<M>)| {
            self.lines
                .get(rank)
                .is_some_and(|old| says_the_same(old, line) && (line.proven || old.nodes == nodes))
        };
        // All or none, so that no rank is missing.
        if !last.iter().enumerate().all(is_told) {
            for (rank, line) in last.into_iter().enumerate() {
                self.tell(rank, line);
            }
        }
        self.lines.truncate(count);
        (self.lines, nodes)
    }

    /// Tells a line as of now.
    fn tell(&mut self, rank: usize, mut info: Info<M>) {
        info.time = self.begin.elapsed();
        (self.on_info)(&info);
        match self.lines.get_mut(rank) {
            Some(line) => *line = info,
            None => self.lines.push(info),
        }
    }
}

/// Whether two lines tell the same move with the same value, proved or not.
fn says_the_same<M: PartialEq>(one: &Info<M>, other: &Info<M>) -> bool {
    let value = |line: &Info<M>| (line.score, line.bound, line.proven);
    one.pv.first() == other.pv.first() && value(one) == value(other)
}

#[cfg(test)]
mod tests {
    use super::super::{Bound, Score};
    use super::*;
    use std::time::Duration;

    fn line(rank: usize, mv: char, value: i32) -> Info<char> {
        Info {
            depth: 4,
            seldepth: 4,
            multipv: rank,
            score: Score::estimate(value),
            bound: Bound::Exact,
            proven: false,
            nodes: 10,
            time: Duration::ZERO,
            hashfull: 0,
            pv: vec![mv],
        }
    }

    fn lost(depth: u32, rank: usize, mv: char, plies: usize) -> Info<char> {
        Info {
            depth,
            proven: true,
            score: Score::loss_in(plies),
            ..line(rank, mv, 0)
        }
    }

    /// Depth, rank and move of what is told of some stages, and of the answer that
    /// the last one gives.
    fn told(stages: &[Vec<Info<char>>], answer: Vec<Info<char>>) -> Vec<(u32, usize, char)> {
        let mut told = Vec::new();
        let mut telling = Telling::new(Instant::now(), |info: &Info<char>| {
            told.push((info.depth, info.multipv, info.pv[0]));
        });
        for (at, stage) in stages.iter().enumerate() {
            if at > 0 {
                telling.next_stage(10);
            }
            stage.iter().for_each(|info| telling.line(info.clone()));
        }
        telling.finish(answer, 10);
        told
    }

    #[test]
    fn behind_a_proof_lines_go_on_where_the_search_was_and_miss_no_rank() {
        let glance = vec![line(1, 'a', 5), line(2, 'b', 3)];
        let both = |depth, mv| [lost(depth, 1, 'a', 9), lost(depth, 2, mv, 7)];
        let search = [
            both(1, 'b'),
            both(2, 'c'),
            both(3, 'c'),
            both(4, 'c'),
            both(5, 'c'),
            [lost(6, 1, 'a', 9), lost(6, 2, 'c', 5)],
            [lost(7, 1, 'a', 9), lost(7, 2, 'c', 5)],
        ];
        let answer = search[6].to_vec();
        let told = told(&[glance, search.concat()], answer);
        let ranks = |depth, mv| [(depth, 1, 'a'), (depth, 2, mv)];
        let expected = [ranks(4, 'b'), ranks(5, 'c'), ranks(6, 'c')];
        assert_eq!(told, expected.concat());
    }

    #[test]
    fn a_known_loss_is_told_again_only_by_a_deeper_search() {
        let glance = vec![Info {
            proven: false,
            ..lost(4, 1, 'a', 9)
        }];
        let search: Vec<_> = [15, 13, 11, 11, 9, 9]
            .into_iter()
            .zip(1..)
            .map(|(plies, depth)| lost(depth, 1, 'a', plies))
            .collect();
        let answer = vec![search[5].clone()];
        let told = told(&[glance, search], answer);
        assert_eq!(told, [(4, 1, 'a'), (5, 1, 'a')]);
    }

    #[test]
    fn an_answer_that_is_not_as_deep_is_told_whole() {
        let glance = vec![line(1, 'a', 5), line(2, 'b', 3)];
        let won = |depth| Info {
            depth,
            proven: true,
            score: Score::win_in(9),
            ..line(1, 'b', 0)
        };
        let guess = |depth| Info {
            depth,
            ..line(2, 'a', 4)
        };
        let search = vec![
            Info {
                depth: 1,
                ..glance[0].clone()
            },
            Info {
                depth: 1,
                ..glance[1].clone()
            },
            won(2),
            guess(2),
        ];
        let told = told(&[glance, search], vec![won(2), guess(2)]);
        assert_eq!(told, [(4, 1, 'a'), (4, 2, 'b'), (2, 1, 'b'), (2, 2, 'a')]);
    }

    #[test]
    fn the_last_lines_of_all_ranks_have_different_moves() {
        let mut told = Vec::new();
        let mut telling = Telling::new(Instant::now(), |info: &Info<char>| {
            told.push((info.multipv, info.pv[0]));
        });
        telling.line(line(1, 'a', 5));
        telling.line(line(2, 'b', 3));
        // Stopped as soon as the first line was proved.
        let proved = Info {
            proven: true,
            score: Score::loss_in(9),
            ..line(1, 'b', 0)
        };
        let (lines, nodes) = telling.finish(vec![proved], 20);
        assert_eq!(told, [(1, 'a'), (2, 'b'), (1, 'b'), (2, 'a')]);
        let moves: Vec<_> = lines
            .iter()
            .map(|info| (info.multipv, info.pv[0]))
            .collect();
        assert_eq!(moves, [(1, 'b'), (2, 'a')]);
        assert!(nodes == 20 && lines.iter().all(|info| info.nodes == 20));
    }
}
