import HealthEngine
import Testing

@Suite("a hash that files can store")
struct FNV1aTests {
    @Test(
        "a text has the hash that the authors of FNV publish for it",
        arguments: [
            ("", 0xCBF2_9CE4_8422_2325), ("a", 0xAF63_DC4C_8601_EC8C),
            ("foobar", 0x8594_4171_F739_67E8),
        ] as [(String, UInt64)])
    func published(text: String, hash: UInt64) {
        #expect(FNV1a.hash(of: text) == hash)
    }

    @Test("a number is hashed as its eight bytes, the lowest first")
    func word() {
        var hash = FNV1a()
        hash.add(word: 0x0807_0605_0403_0201)
        #expect(hash.value == FNV1a.hash(of: Array(1...8)))
    }

    @Test("the end of a delimited text counts")
    func delimited() {
        let hashes = [["ab", "c"], ["a", "bc"], ["abc"], ["abc", ""]].map { texts in
            var hash = FNV1a()
            for text in texts { hash.add(delimited: text) }
            return hash.value
        }
        #expect(Set(hashes).count == hashes.count)
        #expect(hashes[2] == FNV1a.hash(of: Array("abc".utf8) + [0xFF]))
    }
}
