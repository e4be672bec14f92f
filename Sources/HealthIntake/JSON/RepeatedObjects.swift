/// The last objects of a body, by their text.
struct RepeatedObjects {
    /// The sizes of objects that are kept. Smaller ones are parsed as fast.
    private static let sizes = 64...1_024
    private static let limit = 4

    private struct Object {
        var text: [UInt8]
        var value: JSONValue
        /// The nesting in which it was read. In a greater one its own could exceed the limit.
        var depth: Int
    }

    private var objects: [Object] = []
    /// The place of the oldest object.
    private var oldest = 0

    /// Returns the object whose text begins at a place, and the length of its text; nil if it isn't
    /// kept. An object ends with its closing bracket, so that no longer one begins with its text.
    func find(
        in chunk: [UInt8], at place: Int, _ depth: Int
    ) -> (JSONValue, count: Int)? {
        chunk.withUnsafeBufferPointer { chunk in
            for object in objects
            where depth <= object.depth && object.text.count <= chunk.count - place {
                let text = chunk[place..<place + object.text.count]
                if text.elementsEqual(object.text) { return (object.value, object.text.count) }
            }
            return nil
        }
    }

    /// Keeps an object, in place of the oldest.
    mutating func add(_ value: JSONValue, _ text: ArraySlice<UInt8>, _ depth: Int) {
        guard RepeatedObjects.sizes.contains(text.count) else { return }
        let object = Object(text: Array(text), value: value, depth: depth)
        if objects.count < RepeatedObjects.limit {
            objects.append(object)
        } else {
            objects[oldest] = object
            oldest = (oldest + 1) % RepeatedObjects.limit
        }
    }
}
