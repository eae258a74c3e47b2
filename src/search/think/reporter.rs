//! Which lines of a search are reported.

use std::time::Duration;

use crate::search::request::Handler;
use crate::search::{Bound, Info, Score};

/// Reports the lines of an answer that is found in several stages. A proved line is
/// reported once, and again only along with new lines of its depth, so that no rank is
/// missing. The lines of the final answer are always reported, the last time with the
/// nodes of all stages.
pub(super) struct Reporter<M, H> {
    handler: H,
    /// What is proved about the moves that are searched now.
    pub(super) proof: Option<Proof>,
    nodes: u64,
    depth: u32,
    lines: Vec<Info<M>>,
    /// Lines of the current depth that say nothing new; `None` once a line that does
    /// has been reported.
    held_back: Option<Vec<Info<M>>>,
}

/// A proved value of the moves that a search chooses among.
#[derive(Clone, Copy, Debug)]
pub(super) struct Proof {
    pub(super) value: Score,
    /// Whether some of the moves with that value are not searched.
    pub(super) is_partial: bool,
}

impl Proof {
    /// A searched line with the proved value; of losses, the search may find the length.
    pub(super) fn settle<M>(self, mut info: Info<M>) -> Info<M> {
        let is_nearer = info.score.is_loss() && self.value.is_loss() && info.score < self.value;
        (info.score, info.bound) = match info.bound {
            bound if is_nearer && !self.is_partial => (info.score, bound),
            // A move that is not searched may make the game last longer.
            Bound::Exact if is_nearer => (info.score, Bound::Lower),
            _ => (self.value, Bound::Exact),
        };
        info.proven = true;
        info
    }
}

impl<M: Copy + PartialEq, H: Handler<M>> Handler<M> for Reporter<M, H> {
    fn line(&mut self, info: &Info<M>) {
        if info.depth > self.depth {
            self.tell(self.settled(info.clone()));
        }
    }
}

impl<M: Copy + PartialEq, H: Handler<M>> Reporter<M, H> {
    pub(super) fn new(handler: H) -> Self {
        Self {
            handler,
            proof: None,
            nodes: 0,
            depth: 0,
            lines: Vec::new(),
            held_back: None,
        }
    }

    /// Nodes of the earlier stages.
    pub(super) const fn nodes(&self) -> u64 {
        self.nodes
    }

    /// Counts nodes besides those of the search.
    pub(super) const fn count(&mut self, nodes: u64) {
        self.nodes += nodes;
    }

    /// The best line of those reported last.
    pub(super) fn best(&self) -> Option<&Info<M>> {
        self.lines.first()
    }

    /// Whether the lines reported last are wins and losses.
    pub(super) fn is_settled(&self) -> bool {
        let is_proved = |line: &Info<M>| line.proven && line.score.is_decisive();
        !self.lines.is_empty() && self.lines.iter().all(is_proved)
    }

    /// Ends a stage. Lines of the next one that are no deeper than this one's are not
    /// reported, proved or not, unless they are the answer.
    pub(super) fn next_stage(&mut self, nodes: u64) {
        self.nodes += nodes;
        self.depth = self
            .lines
            .first()
            .map_or(0, |line| line.depth.max(self.depth));
    }

    /// Reports a line that is deeper than those of the earlier stages, with their nodes
    /// added, if it or another line of its depth says something new.
    fn tell(&mut self, mut info: Info<M>) {
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
                    self.report(info.multipv - 1, info);
                }
            }
        }
    }

    /// A searched line with the value that is proved of the moves.
    fn settled(&self, info: Info<M>) -> Info<M> {
        match self.proof {
            Some(proof) => proof.settle(info),
            None => info,
        }
    }

    fn is_news(&self, info: &Info<M>) -> bool {
        let old = self.lines.get(info.multipv - 1);
        !(info.proven && old.is_some_and(|old| says_the_same(old, info)))
    }

    /// Reports the lines of the answer, or, if these are neither proved nor deeper than
    /// those of the earlier stages, the lines reported last. Returns them, and the nodes
    /// of all stages.
    pub(super) fn finish(
        mut self,
        lines: Vec<Info<M>>,
        nodes: u64,
        time: Duration,
    ) -> (Vec<Info<M>>, u64) {
        let nodes = self.nodes + nodes;
        let lines: Vec<_> = lines.into_iter().map(|info| self.settled(info)).collect();
        let is_news = |line: &Info<M>| line.proven || line.depth > self.depth;
        let mut last = if self.lines.is_empty() || lines.first().is_some_and(is_news) {
            lines
        } else {
            self.lines.clone()
        };
        // A stage that ended early has fewer lines than were reported: reported ones
        // fill the other ranks, but no move may come twice.
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
        for line in &mut last {
            (line.nodes, line.time) = (nodes, time);
        }
        let count = last.len();
        let is_reported = |(rank, line): (usize, &Info<M>)| {
            self.lines
                .get(rank)
                .is_some_and(|old| says_the_same(old, line) && (line.proven || old.nodes == nodes))
        };
        // All or none, so that no rank is missing.
        if !last.iter().enumerate().all(is_reported) {
            for (rank, line) in last.into_iter().enumerate() {
                self.report(rank, line);
            }
        }
        self.lines.truncate(count);
        (self.lines, nodes)
    }

    fn report(&mut self, rank: usize, info: Info<M>) {
        self.handler.line(&info);
        match self.lines.get_mut(rank) {
            Some(line) => *line = info,
            None => self.lines.push(info),
        }
    }
}

/// Whether two lines have the same move and value, proved or not.
fn says_the_same<M: PartialEq>(one: &Info<M>, other: &Info<M>) -> bool {
    let value = |line: &Info<M>| (line.score, line.bound, line.proven);
    one.pv.first() == other.pv.first() && value(one) == value(other)
}

#[cfg(test)]
mod tests {
    use super::*;

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

    /// Depth, rank and move of each line that is reported for some stages and an answer.
    fn told(stages: &[Vec<Info<char>>], answer: Vec<Info<char>>) -> Vec<(u32, usize, char)> {
        let mut told = Vec::new();
        let mut reporter = Reporter::new(|info: &Info<char>| {
            told.push((info.depth, info.multipv, info.pv[0]));
        });
        for (at, stage) in stages.iter().enumerate() {
            if at > 0 {
                reporter.next_stage(10);
            }
            stage.iter().for_each(|info| reporter.line(info));
        }
        reporter.finish(answer, 10, Duration::ZERO);
        told
    }

    #[test]
    fn lines_are_reported_once_and_ranks_are_complete() {
        let first = || vec![line(1, 'a', 5), line(2, 'b', 3)];
        let both = |depth, mv, plies| [lost(depth, 1, 'a', 9), lost(depth, 2, mv, plies)];
        let ranks = |depth, mv| [(depth, 1, 'a'), (depth, 2, mv)];
        // After a proof, lines continue from the depth that the search had reached.
        let search = [
            both(1, 'b', 7),
            both(2, 'c', 7),
            both(3, 'c', 7),
            both(4, 'c', 7),
            both(5, 'c', 7),
            both(6, 'c', 5),
            both(7, 'c', 5),
        ];
        let answer = search[6].to_vec();
        let found = told(&[first(), search.concat()], answer);
        assert_eq!(
            found,
            [ranks(4, 'b'), ranks(5, 'c'), ranks(6, 'c')].concat()
        );
        // A known loss is reported again only by a deeper search.
        let known = Info {
            proven: false,
            ..lost(4, 1, 'a', 9)
        };
        let losses = [15, 13, 11, 11, 9, 9].into_iter().zip(1..);
        let search: Vec<_> = losses
            .map(|(plies, depth)| lost(depth, 1, 'a', plies))
            .collect();
        let answer = vec![search[5].clone()];
        let found = told(&[vec![known], search], answer);
        assert_eq!(found, [(4, 1, 'a'), (5, 1, 'a')]);
        // An answer that is not as deep is reported whole.
        let at = |depth, info| Info { depth, ..info };
        let won = Info {
            proven: true,
            score: Score::win_in(9),
            ..at(2, line(1, 'b', 0))
        };
        let answer = vec![won, at(2, line(2, 'a', 4))];
        let shallow = first().into_iter().map(|info| at(1, info));
        let search = shallow.chain(answer.clone()).collect();
        let found = told(&[first(), search], answer);
        assert_eq!(found, [(4, 1, 'a'), (4, 2, 'b'), (2, 1, 'b'), (2, 2, 'a')]);
    }

    #[test]
    fn the_last_lines_of_all_ranks_have_different_moves() {
        let mut told = Vec::new();
        let mut reporter = Reporter::new(|info: &Info<char>| {
            told.push((info.multipv, info.pv[0]));
        });
        reporter.line(&line(1, 'a', 5));
        reporter.line(&line(2, 'b', 3));
        // Stopped as soon as the first line was proved.
        let (lines, nodes) = reporter.finish(vec![lost(4, 1, 'b', 9)], 20, Duration::ZERO);
        assert_eq!(told, [(1, 'a'), (2, 'b'), (1, 'b'), (2, 'a')]);
        let last = lines.iter().map(|info| (info.multipv, info.pv[0]));
        assert!(last.eq([(1, 'b'), (2, 'a')]));
        assert!(nodes == 20 && lines.iter().all(|info| info.nodes == 20));
    }
}
