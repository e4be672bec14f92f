import Testing

@Suite struct SwiftTextTests {
    @Test(
        "comments and the insides of text are blanked, code and columns stay",
        arguments: [
            (#"let a = "b" // c"#, #"let a = " "     "#),
            (#"let a = "\"" + b"#, #"let a = "  " + b"#),
            ("a /* b /* c */ d */ e", "a                   e"),
            (##"#"a"b\"# + c"##, ##"#"    "# + c"##),
            (##"#"\#(a)"# + c"##, ##"#"  (a)"# + c"##),
            (#""a\(f("b)", c))d" + e"#, #""  (f("  ", c)) " + e"#),
            ("\"\"\"\nlet a = \"b\"\n\"\"\" + c", "\"\"\"\n           \n\"\"\" + c"),
            ("let a = \"open\nlet b = 1", "let a = \"    \nlet b = 1"),
        ])
    func blanking(text: String, code: String) {
        #expect(SwiftText(text).code == code)
    }

    @Test("comments can be kept while text is blanked")
    func keepingComments() {
        #expect(SwiftText(#""a" // b "c""#).codeAndComments == #"" " // b "c""#)
    }
}
