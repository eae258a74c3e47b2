//! Perft numbers and awkward positions from an independent referee.
use totemic::game::*;
fn check<G: Game>(pos: &str, want: &str) {
    let p: G = pos.parse().unwrap();
    assert_eq!(p.to_string(), pos);
    for (d, n) in want.split(' ').enumerate() {
        let n: u64 = n.parse().unwrap();
        assert_eq!(perft(&p, d as u32 + 1), n, "{pos} depth {}", d + 1);
    }
}
#[test]
fn golden() {
    for line in include_str!("data/perft.tsv").lines() {
        let f: Vec<&str> = line.split('\t').collect();
        match f[0] {
            "yoxii" => check::<Yoxii>(f[1], f[2]),
            _ => check::<Hokito>(f[1], f[2]),
        }
    }
    assert_eq!(perft(&Yoxii::start(), 3), 8463360);
    assert_eq!(perft(&Hokito::start(), 4), 108503828);
    let t = std::time::Instant::now();
    assert_eq!(perft(&Yoxii::start(), 4), 1187800064);
    eprintln!("yoxii {:?}", t.elapsed());
    let t = std::time::Instant::now();
    assert_eq!(perft(&Hokito::start(), 4), 108503828);
    eprintln!("hokito {:?}", t.elapsed());
}
