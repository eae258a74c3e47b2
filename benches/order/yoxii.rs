//! Features of a move of Yoxii that may say whether to try it early.

use totemic_engine::game::{Cells, Game, Yoxii, YoxiiMove};

use super::Ordered;

impl Ordered for Yoxii {
    const FEATURES: &'static [&'static str] = &[
        "squares",
        "replies",
        "blocks",
        "beside_free",
        "beside_opp",
        "beside_own",
        "single",
        "jump",
        "own_ways",
        "ends",
        "least",
        "most",
    ];
    const TODAY: &'static [i32] = &[1, 12, -16, -6, -2, 2, -4, -4];
    const SETS: [u32; 3] = [0, 11, 14];
    const DEEPEST: usize = 9;

    fn features(&self, mv: YoxiiMove, goal: i32) -> Vec<i32> {
        let (side, opponent) = (self.side(), self.side().other());
        let (target, spot) = (mv.totem(), mv.piece());
        let after = self.play(mv);
        let replies = after.totem_targets(opponent);
        let empty = after.free() | Cells::of(target);
        let squares = replies
            .into_iter()
            .map(|reply| (Yoxii::near(reply) & empty).len());
        // The piece takes a reply away if there was one to its square: a step, or a jump
        // that the totem could still make if the piece were on another square.
        let others = self.placements(target) - Cells::of(spot);
        let jumps = others.first().is_some_and(|other| {
            let elsewhere = self.play(YoxiiMove::new(target, other, mv.value()));
            elsewhere.totem_targets(opponent).has(spot)
        });
        let blocks = jumps || Yoxii::near(target).has(spot);
        let near = Yoxii::near(spot);
        let (mut own_ways, mut ends) = (0, 0);
        let reserve = after.reserve(opponent);
        let best = reserve.iter().rposition(|&left| left > 0);
        let best = best.map_or(1, |index| index as u8 + 1);
        for reply in replies {
            let next = after.placements(reply).into_iter().map(|piece| {
                let next = after.play(YoxiiMove::new(reply, piece, best));
                let is_lost = next.standing().outcome().sign_for(side) < goal;
                (next.totem_targets(side).len(), is_lost)
            });
            let (ways, is_lost) = next.min().unwrap_or((0, false));
            own_ways += ways;
            ends += i32::from(ways == 0 && is_lost);
        }
        let margins = replies.into_iter().map(|reply| {
            let ring = Yoxii::near(reply);
            after.sum(side, ring) - after.sum(opponent, ring)
        });
        vec![
            squares.sum::<u32>() as i32,
            replies.len() as i32,
            i32::from(blocks),
            (near & after.free()).len() as i32,
            (near & after.pieces(opponent)).len() as i32,
            (near & after.pieces(side)).len() as i32,
            i32::from(replies.len() == 1),
            i32::from(!Yoxii::near(self.totem()).has(target)),
            own_ways as i32,
            ends,
            margins.clone().min().unwrap_or(0),
            margins.max().unwrap_or(0),
        ]
    }
}
