import HealthDashboard
import Testing

@Suite struct ShellWordTests {
    @Test(
        "shell words are quoted where needed",
        arguments: [
            ("/tmp/a.sqlite", "/tmp/a.sqlite"), ("Anna’s iPhone", "'Anna’s iPhone'"),
            ("it's", "'it'\\''s'"), ("", "''"), ("$HOME", "'$HOME'"), ("~", "'~'"),
        ])
    func quoted(word: String, quoted: String) {
        #expect(ShellWord.quoted(word) == quoted)
    }
}
