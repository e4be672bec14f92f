import Testing
import os.activity
import os.signpost

@Suite struct SignpostSubmoduleTests {
    @Test("importing os.signpost provides signposts")
    func signpost() {
        let signposter = OSSignposter(subsystem: "com.example.diary", category: "tests")
        #expect(signposter.withIntervalSignpost("walk") { 7 } == 7)
    }
}
