/// The last objects of a body, by their text.
struct RepeatedObjects {
    /// The sizes of objects that are kept. Smaller ones are parsed as fast.
    private static let sizes = 64...1_024
    private static let limit = 4

    private var objects: [(text: [UInt8], value: JSONValue)] = []
    /// The place of the oldest object.
    private var oldest = 0

    /// Returns the object whose text begins at a place, and the length of its text; nil if it isn't
    /// kept. An object ends with its closing bracket, so that no longer one begins with its text.
    func find(in chunk: [UInt8], at place: Int) -> (JSONValue, count: Int)? {
        chunk.withUnsafeBufferPointer { chunk in
            for object in objects where object.text.count <= chunk.count - place {
                let text = chunk[place..<place + object.text.count]
                if text.elementsEqual(object.text) { return (object.value, object.text.count) }
            }
            return nil
        }
    }

    /// Keeps an object, in place of the oldest.
    mutating func add(_ value: JSONValue, _ text: ArraySlice<UInt8>) {
        guard RepeatedObjects.sizes.contains(text.count) else { return }
        if objects.count < RepeatedObjects.limit {
            objects.append((Array(text), value))
        } else {
            objects[oldest] = (Array(text), value)
            oldest = (oldest + 1) % RepeatedObjects.limit
        }
    }
}
