/// JavaScript expressions that check a page. The value of each is a list of defects, empty for a
/// correct page.
enum PageProbe {
    static let openAllTables = """
        document.querySelectorAll('details').forEach(each => { each.open = true; }), true
        """

    /// Elements that are wider than the window, and clipped or overlapping texts in drawings.
    static let layout = """
        (() => {
          const faults = [];
          const width = document.scrollingElement.scrollWidth;
          const words = each => (each.textContent || '').trim().slice(0, 40);
          if (width > innerWidth) {
            faults.push('it is ' + width + ' wide in a window of ' + innerWidth);
            for (const each of document.querySelectorAll('body *')) {
              if (each.getBoundingClientRect().right <= innerWidth + 0.5) continue;
              if (!each.closest('.scroll')) faults.push(each.tagName + ' sticks out: ' + words(each));
            }
          }
          for (const row of document.querySelectorAll('.plot-row, svg.route')) {
            const labels = [...row.querySelectorAll('text')].filter(each => each.checkVisibility())
              .map(each => ({box: each.getBoundingClientRect(), words: words(each)}))
              .filter(each => each.box.width > 0);
            labels.forEach((one, i) => {
              if (one.box.left < -0.5 || one.box.right > innerWidth + 0.5) {
                faults.push('cut off: ' + one.words);
              }
              for (const other of labels.slice(i + 1)) {
                const across = Math.min(one.box.right, other.box.right)
                  - Math.max(one.box.left, other.box.left);
                const down = Math.min(one.box.bottom, other.box.bottom)
                  - Math.max(one.box.top, other.box.top);
                if (across > 1 && down > 4) {
                  faults.push('“' + one.words + '” stands in “' + other.words + '”');
                }
              }
            });
          }
          return faults;
        })()
        """

    /// Texts with a contrast to their background below 7:1, or below 4.5:1 if they are small.
    static let contrast = """
        (() => {
          const faults = new Set();
          const parts = text => {
            const [red, green, blue, alpha] = text.match(/[\\d.]+/g).map(Number);
            return {colour: [red, green, blue], alpha: alpha ?? 1};
          };
          const mixed = (top, under) =>
            top.colour.map((each, i) => each * top.alpha + under[i] * (1 - top.alpha));
          const light = colour => {
            const [red, green, blue] = colour.map(each => each / 255)
              .map(each => each <= 0.04045 ? each / 12.92 : ((each + 0.055) / 1.055) ** 2.4);
            return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
          };
          const ground = element => {
            if (!element) return [255, 255, 255];
            const own = parts(getComputedStyle(element).backgroundColor);
            return own.alpha === 1 ? own.colour : mixed(own, ground(element.parentElement));
          };
          const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
          let count = 0;
          while (texts.nextNode()) {
            const element = texts.currentNode.parentElement;
            const words = texts.currentNode.data.trim();
            if (!words || element.closest('title, desc, script') || !element.checkVisibility()) continue;
            const style = getComputedStyle(element);
            const behind = ground(element);
            const isDrawn = element.closest('svg') !== null;
            const front = mixed(parts(isDrawn ? style.fill : style.color), behind);
            const [low, high] = [light(front), light(behind)].sort((a, b) => a - b);
            const ratio = (high + 0.05) / (low + 0.05);
            const least = parseFloat(style.fontSize) > 13 ? 7 : 4.5;
            if (ratio < least) faults.add(ratio.toFixed(2) + ':1 for “' + words.slice(0, 40) + '”');
            count += 1;
          }
          if (count < 10) faults.add('only ' + count + ' texts were looked at');
          return [...faults];
        })()
        """

    /// The visible focusable elements in page order. Installs a record of the elements that get the
    /// focus.
    static let expectFocus = """
        (() => {
          window.reached = [];
          addEventListener('focusin', event => window.reached.push(event.target));
          window.focusable = [...document.querySelectorAll(
            'a[href], button, input:not([type=hidden]), select, textarea, summary, svg[tabindex]')]
            .filter(each => !each.disabled && each.tabIndex >= 0 && each.checkVisibility());
          document.activeElement.blur();
          return window.focusable.length;
        })()
        """

    static let missedFocus = """
        (() => {
          const words = each => each.tagName + ' ' + (each.textContent || '').trim().slice(0, 40);
          const faults = window.focusable.filter(each => !window.reached.includes(each))
            .map(each => 'never reached: ' + words(each));
          const places = window.reached.map(each => window.focusable.indexOf(each))
            .filter(place => place >= 0);
          const first = places.slice(0, window.focusable.length);
          if (first.some((place, i) => i > 0 && place < first[i - 1])) faults.push('out of order');
          return faults;
        })()
        """

    /// The page's status, and the number of its drawings and tables.
    static let content = """
        (() => {
          const drawn = [...document.querySelectorAll('main svg[role=img]')].filter(each =>
            each.getBoundingClientRect().width > 0 && each.querySelector('*:not(title, desc)'));
          return [
            document.querySelector('.answer').innerText.trim(),
            'drawings: ' + drawn.length,
            'tables: ' + document.querySelectorAll('main table tbody tr').length,
            'links: ' + document.querySelectorAll('main a[href]').length,
          ];
        })()
        """
}
