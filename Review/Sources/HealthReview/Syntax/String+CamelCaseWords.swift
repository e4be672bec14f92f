extension String {
    /// The lowercase words of a camel-case name: `sync`, `hk` and `steps` for `syncHKSteps`.
    var camelCaseWords: [String] {
        var words: [String] = []
        var word = ""
        let letters = Array(self)
        for (place, letter) in letters.enumerated() {
            let next = place + 1 < letters.count ? letters[place + 1] : nil
            let previous = word.last
            let begins =
                letter.isUppercase
                && (previous?.isUppercase == false || next?.isLowercase == true)
            if (begins || !letter.isLetter) && !word.isEmpty {
                words.append(word.lowercased())
                word = ""
            }
            if letter.isLetter { word.append(letter) }
        }
        if !word.isEmpty { words.append(word.lowercased()) }
        return words
    }
}
