//! What whoever waits for an answer is told of it.

use std::time::Instant;

use super::Info;

/// The lines of an answer that is found in several stages. A line that nothing
/// can change any more is told once; those that the answer gives were always
/// told, the last of them with all nodes.
pub(super) struct Telling<M, F> {
    on_info: F,
    begin: Instant,
    /// Nodes of the stages that are over.
    nodes: u64,
    /// Depth that a guess has to go beyond to be news.
    depth: u32,
    /// The lines as they were told last, best first.
    lines: Vec<Info<M>>,
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
        }
    }

    /// A stage is over: what the next one finds of less depth is no news, unless
    /// it is proved.
    pub(super) fn next_stage(&mut self, nodes: u64) {
        self.nodes += nodes;
        self.depth = self.lines.first().map_or(0, |line| line.depth);
    }

    /// Tells a line with the nodes of its stage, if it is news.
    pub(super) fn line(&mut self, mut info: Info<M>) {
        if !info.proven && info.depth <= self.depth {
            return;
        }
        info.nodes += self.nodes;
        let rank = info.multipv - 1;
        let old = self.lines.get(rank);
        if !(info.proven && old.is_some_and(|old| says_the_same(old, &info))) {
            self.tell(rank, info);
        }
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
        last.iter_mut().for_each(|line| line.nodes = nodes);
        let count = last.len();
        for (rank, line) in last.into_iter().enumerate() {
            let is_told = self.lines.get(rank).is_some_and(|old| {
                says_the_same(old, &line) && (line.proven || old.nodes == nodes)
            });
            if !is_told {
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

/// Whether two lines tell the same move with the same value.
fn says_the_same<M: PartialEq>(one: &Info<M>, other: &Info<M>) -> bool {
    one.pv.first() == other.pv.first()
        && (one.score, one.bound, one.proven) == (other.score, other.bound, other.proven)
}
