//! Which infos of a search are reported.

use std::time::Duration;

use crate::game::Game;
use crate::search::request::{Handler, Request};
use crate::search::{Bound, Info, Score};

/// Reports the infos of an answer that is found in several stages. A proved one is
/// reported once, and again only along with new ones of its depth, so that no line is
/// missing. The infos of the final answer are always reported, the last time with the
/// nodes of all stages.
pub(super) struct Reporter<'a, G: Game> {
    handler: &'a mut dyn Handler<G::Move>,
    request: &'a Request<G>,
    /// What is proved about the moves that are searched now.
    pub(super) proof: Option<Proof<G>>,
    depth: u32,
    reported: Vec<Info<G::Move>>,
    /// Infos of the current depth that say nothing new; `None` once one that does
    /// has been reported.
    held_back: Option<Vec<Info<G::Move>>>,
}

/// A proved value of the moves that a search chooses among.
#[derive(Clone, Copy, Debug)]
pub(super) struct Proof<G> {
    pub(super) position: G,
    pub(super) value: Score,
    /// Whether some of the moves with that value are not searched.
    pub(super) is_partial: bool,
}

impl<G: Game> Proof<G> {
    /// A searched info with the proved value; of losses, the search may find the length.
    /// The proof is about the first move alone: if the search let the opponent err in
    /// another one, so that the game ends otherwise, the pv has only the first.
    pub(super) fn apply(&self, mut info: Info<G::Move>) -> Info<G::Move> {
        let is_nearer = info.score.is_loss() && self.value.is_loss() && info.score < self.value;
        (info.score, info.bound) = match info.bound {
            bound if is_nearer && !self.is_partial => (info.score, bound),
            // A move that is not searched may make the game last longer.
            Bound::Exact if is_nearer => (info.score, Bound::Lower),
            _ => (self.value, Bound::Exact),
        };
        info.proven = true;
        let play = |position: G, &mv: &G::Move| position.play(mv);
        let end = info.pv.iter().fold(self.position, play).outcome();
        if end.is_some_and(|end| end.sign_for(self.position.side()) != self.value.sign()) {
            info.pv.truncate(1);
        }
        info
    }
}

impl<G: Game> Handler<G::Move> for Reporter<'_, G> {
    fn report(&mut self, info: &Info<G::Move>) {
        if info.depth > self.depth {
            self.report_if_new(self.with_proof(info.clone()));
        }
    }
}

impl<'a, G: Game> Reporter<'a, G> {
    pub(super) fn new(request: &'a Request<G>, handler: &'a mut dyn Handler<G::Move>) -> Self {
        Self {
            request,
            handler,
            proof: None,
            depth: 0,
            reported: Vec::new(),
            held_back: None,
        }
    }

    /// The best info of those reported last.
    pub(super) fn best(&self) -> Option<&Info<G::Move>> {
        self.reported.first()
    }

    /// Whether the infos reported last are wins and losses.
    pub(super) fn all_proved_decisive(&self) -> bool {
        let is_proved = |info: &Info<_>| info.proven && info.score.is_decisive();
        !self.reported.is_empty() && self.reported.iter().all(is_proved)
    }

    /// Ends a stage. Infos of the next one that are no deeper than this one's are not
    /// reported, proved or not, unless they are the answer.
    pub(super) fn next_stage(&mut self, nodes: u64) {
        self.request.add_nodes_elsewhere(nodes);
        self.depth = (self.reported.first()).map_or(0, |info| info.depth.max(self.depth));
    }

    /// Reports an info that is deeper than those of the earlier stages, with their nodes
    /// added, if it or another of its depth says something new.
    fn report_if_new(&mut self, mut info: Info<G::Move>) {
        let old = self.reported.get(info.multipv - 1);
        let is_news = !info.proven || old.is_none_or(|old| !says_the_same(old, &info));
        info.nodes += self.request.nodes_elsewhere();
        if info.multipv == 1 {
            self.held_back = Some(Vec::new());
        }
        match &mut self.held_back {
            Some(held_back) if !is_news => held_back.push(info),
            held_back => {
                let held_back = held_back.take().into_iter().flatten();
                for info in held_back.chain([info]) {
                    self.send(info.multipv - 1, info);
                }
            }
        }
    }

    /// A searched info with the value that is proved of the moves.
    fn with_proof(&self, info: Info<G::Move>) -> Info<G::Move> {
        match &self.proof {
            Some(proof) => proof.apply(info),
            None => info,
        }
    }

    /// Reports the infos of the answer, or, if these are neither proved nor deeper than
    /// those of the earlier stages, those reported last. Returns them, and the nodes
    /// of all stages.
    pub(super) fn finish(
        mut self,
        infos: Vec<Info<G::Move>>,
        nodes: u64,
        time: Duration,
    ) -> (Vec<Info<G::Move>>, u64) {
        let nodes = self.request.nodes_elsewhere() + nodes;
        let mut answer = self.choose_answer(infos);
        self.fill_up(&mut answer);
        for info in &mut answer {
            (info.nodes, info.time) = (nodes, time);
        }
        self.send_answer(answer, nodes);
        (self.reported, nodes)
    }

    fn choose_answer(&self, infos: Vec<Info<G::Move>>) -> Vec<Info<G::Move>> {
        let infos: Vec<_> = infos.into_iter().map(|it| self.with_proof(it)).collect();
        let is_news = |info: &Info<_>| info.proven || info.depth > self.depth;
        if self.reported.is_empty() || infos.first().is_some_and(is_news) {
            infos
        } else {
            self.reported.clone()
        }
    }

    /// A stage that ended early has fewer infos than were reported: reported ones fill the
    /// other lines, but no move may come twice.
    fn fill_up(&self, answer: &mut Vec<Info<G::Move>>) {
        for old in &self.reported {
            let index = answer.len();
            let is_known = answer.iter().any(|info| info.pv.first() == old.pv.first());
            if index < self.reported.len() && !is_known {
                answer.push(Info {
                    multipv: index + 1,
                    ..old.clone()
                });
            }
        }
    }

    /// Reports all infos of the answer or, if nothing is new, none, so that no line is
    /// missing.
    fn send_answer(&mut self, answer: Vec<Info<G::Move>>, nodes: u64) {
        let count = answer.len();
        let is_reported = |(index, info): (usize, &Info<_>)| {
            let old = self.reported.get(index);
            old.is_some_and(|old| says_the_same(old, info) && (info.proven || old.nodes == nodes))
        };
        if !answer.iter().enumerate().all(is_reported) {
            for (index, info) in answer.into_iter().enumerate() {
                self.send(index, info);
            }
        }
        self.reported.truncate(count);
    }

    fn send(&mut self, index: usize, info: Info<G::Move>) {
        self.handler.report(&info);
        match self.reported.get_mut(index) {
            Some(last) => *last = info,
            None => self.reported.push(info),
        }
    }
}

/// Whether two infos have the same move and value, proved or not.
fn says_the_same<M: PartialEq>(one: &Info<M>, other: &Info<M>) -> bool {
    let value = |info: &Info<M>| (info.score, info.bound, info.proven);
    one.pv.first() == other.pv.first() && value(one) == value(other)
}
