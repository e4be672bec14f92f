import Testing

@testable import HealthEngine

@Suite struct SHA256Tests {
    @Test(
        "SHA-256 gives the digests of FIPS 180-4",
        arguments: [
            ("", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"),
            ("abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
            (
                "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
                "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"
            ),
            (
                "abcdefghbcdefghicdefghijdefghijkefghijklfghijklmghijklmn"
                    + "hijklmnoijklmnopjklmnopqklmnopqrlmnopqrsmnopqrstnopqrstu",
                "cf5b16a778af8380036ce59e7b0492370b249b11e8f07a51afac45037afee9d1"
            ),
        ])
    func vectors(text: String, digest: String) {
        var sum = SHA256()
        sum.update(Array(text.utf8))
        #expect(sum.finish() == digest)
    }

    @Test("a million letters in pieces of any length give the published digest")
    func pieces() {
        var sum = SHA256()
        var (left, piece) = (1_000_000, 1)
        while left > 0 {
            sum.update([UInt8](repeating: 0x61, count: min(left, piece)))
            left -= min(left, piece)
            piece = piece * 3 % 8_191 + 1
        }
        #expect(
            sum.finish() == "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0")
    }

    @Test("every length around a block gives the same digest in one piece and in single bytes")
    func lengths() {
        for count in 0...130 {
            let bytes = (0..<count).map { UInt8(truncatingIfNeeded: $0) }
            var (whole, single) = (SHA256(), SHA256())
            whole.update(bytes)
            for byte in bytes { single.update([byte]) }
            #expect(whole.finish() == single.finish(), "\(count) bytes")
        }
    }
}
