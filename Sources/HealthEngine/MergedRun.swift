/// The samples of a merge and what each has left, to look at while a call lasts.
struct MergedRun {
    let entries: UnsafeBufferPointer<Entry>
    let won: UnsafeBufferPointer<SourceMerge.Won>
    let pieces: UnsafeBufferPointer<Span>

    func pieces(of index: Int) -> UnsafeBufferPointer<Span> {
        UnsafeBufferPointer(rebasing: pieces[won[index].range])
    }

    /// What a sample that has lost some time has left, in a bucket that holds all of it; nil for
    /// nothing.
    @inline(__always)
    func part(of index: Int) -> BucketPart? {
        let range = won[index].range
        guard let first = range.first else { return nil }
        var part = BucketPart(from: pieces[first].start, to: 0, seconds: 0)
        for piece in range {
            part.to = pieces[piece].end
            part.seconds += pieces[piece].end - pieces[piece].start
        }
        return part
    }
}
