import Testing
import os.activity
import os.signpost

@Suite struct SignpostSubmoduleTests {
    @Test("a file that imports os.signpost has signposts")
    func signpost() {
        let signposter = OSSignposter(subsystem: "com.example.diary", category: "tests")
        #expect(signposter.withIntervalSignpost("walk") { 7 } == 7)
    }
}
