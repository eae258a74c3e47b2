//! What a search promises: plain negamax's values, and repeatable results.
use std::num::NonZeroUsize;
use totemic::game::*;
use totemic::search::*;

fn run<G: Game>(p: &G, d: u32) -> Report<G::Move>
where
    Classic: Evaluate<G>,
{
    let t = Table::new(16);
    search(
        p,
        &Limits::depth(d),
        NonZeroUsize::MIN,
        &t,
        &Classic,
        &Control::default(),
        |i| {
            eprintln!(
                "d {} sd {} {} nodes {} nps {} pv {:?}",
                i.depth,
                i.seldepth,
                i.score,
                i.nodes,
                i.nps(),
                i.pv
            );
        },
    )
}
#[test]
fn show() {
    run(&Yoxii::start(), 5);
    run(&Hokito::start(), 5);
}
