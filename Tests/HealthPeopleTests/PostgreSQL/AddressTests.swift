import HealthPeople
import Testing

/// Addresses of databases.
@Suite(.needsPostgreSQLClient) struct AddressTests {
    @Test(
        "A description has the hosts and the database, without the password",
        arguments: [
            ("postgresql://u:geheim@db1/health", "postgresql://u@db1/health"),
            (
                "postgres://u:geheim@db1:5433,db2:5434/health?sslmode=require",
                "postgresql://u@db1:5433,db2:5434/health"
            ),
            ("postgresql://u@[::1]:5432/a%20b?password=geheim", "postgresql://u@[::1]:5432/a%20b"),
            ("postgresql://u@%2Ftmp%2Fx/health", "postgresql://u@%2Ftmp%2Fx/health"),
        ])
    func description(_ text: String, _ description: String) throws {
        let address = try PostgreSQLAddress(text)
        #expect(address.description == description)
        var dumped = ""
        dump(address, to: &dumped)
        let texts = ["\(address)", String(reflecting: address), dumped]
        #expect(!texts.contains { $0.contains("geheim") })
    }

    @Test(
        "An invalid address is an error that doesn't quote the password",
        arguments: [
            "", "mysql:" + "//u:geheim@h/d", "postgresql://u:geheim/x@h/d",
            "postgresql://u:12/geheim@h",
            "postgresql://u:geheim@h:99999/d", "postgresql://u:geheim@h:0/d",
            "postgresql://u:geheim@h:x/d", "postgresql://u:geheim@a:1,b:2,c/d?nonsense=geheim",
            "postgresql://u:gehe%zz@h/d", "postgresql://u:geheim@h/d?replication=1",
            "postgresql://u:geheim@h/d?target_session_attrs=prefer-standby",
            "postgresql://u:geheim@h\0/d",
        ])
    func invalid(_ text: String) {
        let error = #expect(throws: SQLError.self) { try PostgreSQLAddress(text) }
        #expect(error?.code == .invalidAddress)
        #expect(error?.description.contains("gehe") == false)
    }
}
