import Testing

@testable import HealthServer

/// The addresses of proxies.
@Suite struct AddressRangeTests {
    @Test("a range contains exactly the addresses with its first bits")
    func contents() throws {
        let range = try #require(AddressRange("10.1.128.0/17"))
        #expect(range.contains("10.1.128.0") && range.contains("10.1.255.255"))
        #expect(!range.contains("10.1.127.255") && !range.contains("10.2.128.0"))
        #expect(range.contains("::ffff:10.1.200.1") && !range.contains("::1"))
        let all = try #require(AddressRange("0.0.0.0/0"))
        #expect(all.contains("255.1.2.3") && !all.contains("fd00::1"))
        let six = try #require(AddressRange("fd00::/8"))
        #expect(six.contains("fd12::1") && !six.contains("fe80::1"))
        let one = try #require(AddressRange("192.0.2.7"))
        #expect(one.contains("192.0.2.7") && !one.contains("192.0.2.6"))
    }

    @Test("other texts are no ranges")
    func invalid() {
        for text in ["", "proxy", "10.0.0.0/33", "10.0.0/8", "fd00::/129", "10.0.0.0/-1", "1/8/"] {
            #expect(AddressRange(text) == nil, "\(text)")
        }
    }
}
