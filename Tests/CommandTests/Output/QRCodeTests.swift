import HealthEngine
import Testing

@testable import openhealth

/// QR codes, compared with those of the Python library `qrcode` 8.
@Suite struct QRCodeTests {
    /// Returns the modules as lines of 0 and 1.
    private func lines(_ code: QRCode) -> [String] {
        (0..<code.size).map { row in
            String((0..<code.size).map { code.isDark(row, $0) ? "1" : "0" })
        }
    }

    private func text(_ length: Int) -> String {
        let part = "com.HealthExport://automation?name=open%20health&"
        return String(String(repeating: part, count: length / part.count + 1).prefix(length))
    }

    @Test("a code of version 1 has the modules of the reference")
    func version1() throws {
        let code = try #require(QRCode("com.HealthExpo", mask: 0))
        #expect(code.version == 1)
        #expect(
            lines(code) == [
                "111111100010101111111", "100000100000101000001", "101110101010001011101",
                "101110100000101011101", "101110100100101011101", "100000100111001000001",
                "111111101010101111111", "000000001010100000000", "111011111011011000100",
                "000101010001101110111", "001110100011101111011", "000011001111000000001",
                "010000101000110010001", "000000001010100110111", "111111101001101111111",
                "100000101001000001011", "101110101010000110010", "101110100010111110110",
                "101110101011101110001", "100000101000000100010", "111111101011101000111",
            ])
    }

    @Test("codes up to version 40 have the modules of the reference")
    func digests() throws {
        let known: [(Int, QRCode.Level, Int, Int, String)] = [
            (20, .medium, 3, 2, "492331e5dc7d5598d94f323a83e173efdff806a1fc884fea33e136f2ceba7ac0"),
            (150, .low, 5, 7, "ebeb6672bd7c01c4507dcfa3127a2329edc1e3166215bff8bf0ec97e2a08b1d4"),
            (
                230, .medium, 1, 11,
                "d735f987f2ae3b069ff1da279a2382a734d5335ce12516d866d5a069bea959d0"
            ),
            (700, .low, 2, 18, "6833de61be461e1c28d76caf2df1b6878e23b60b3e7ee9d47191f126a7f236b7"),
            (
                1200, .medium, 6, 29,
                "e8174c2c11f496c9d808bdf336c582f96c7fd6e2f6242a02e7b4825234e71512"
            ),
            (2900, .low, 7, 40, "e120c45947b1500a75fd9eea1580fd27a228d81ad017a565fa1ffd35fd46127a"),
            (
                2300, .medium, 4, 40,
                "7120a8dc20c461348feca3c346e48a5bb513f4d553b7037d8387caec5e787dca"
            ),
        ]
        for (length, level, mask, version, digest) in known {
            let code = try #require(QRCode(text(length), level: level, mask: mask))
            #expect(code.version == version, "\(length)")
            let modules = lines(code).joined(separator: "\n")
            #expect(SHA256.hexadecimal(Array(modules.utf8)) == digest, "\(length)")
        }
    }

    @Test("a text beyond version 40 has no code")
    func tooLong() {
        #expect(QRCode(text(2953)) != nil)
        #expect(QRCode(text(2954)) == nil)
        #expect(QRCode(text(2332), level: .medium) == nil)
    }

    @Test("half blocks draw each module once, with a light border of four")
    func drawing() throws {
        let code = try #require(QRCode("com.HealthExpo", mask: 0))
        let drawn = QRCodeText.terminal(code, .plain).split(separator: "\n").map(Array.init)
        #expect(drawn.count == 15 && drawn.allSatisfy { $0.count == 29 })
        for row in -4..<25 {
            for column in -4..<25 {
                let character = drawn[(row + 4) / 2][column + 4]
                let isUpper = (row + 4) % 2 == 0
                let isLight = character == "█" || character == (isUpper ? "▀" : "▄")
                #expect(isLight == !code.isDark(row, column), "\(row) \(column)")
            }
        }
    }
}
