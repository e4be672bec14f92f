/// The pages' script. It shows the value under the pointer or chosen with the arrow keys, zooms
/// into a range selected with the mouse, and updates the page when the store has changed. The pages
/// work without it.
package enum Script {
    /// The address of the script.
    package static let path = "/script.js"
    /// The script.
    package static let text = """
        'use strict';
        (() => {
          const space = 'http://www.w3.org/2000/svg';
          const line = (svg, kind) => {
            const mark = document.createElementNS(space, kind === 'pick' ? 'rect' : 'line');
            mark.setAttribute('class', kind);
            svg.append(mark);
            return mark;
          };
          const text = row => {
            const heads = [...row.closest('table').tHead.rows[0].cells].slice(1);
            const cells = [...row.cells].slice(1);
            const parts = cells.map((cell, i) => {
              const value = cell.textContent.trim();
              if (!value) return '';
              const head = heads[i] ? heads[i].textContent.trim() : '';
              if (!cell.classList.contains('n')) return value;
              return cells.length === 1 || i === 0 && /^(average )?[^ ]+$/.test(head)
                ? (head.startsWith('average ') ? 'average ' + value + ' ' + head.slice(8)
                  : value + ' ' + head) : head + ' ' + value;
            });
            return row.cells[0].textContent + ': ' + parts.filter(Boolean).join(', ');
          };

          function reading(figure) {
            const svg = figure.querySelector('svg.plot');
            const out = figure.querySelector('output.readout');
            const rows = [...figure.querySelectorAll('tr[data-x]')];
            if (!svg || !out || !rows.length) return;
            const places = rows.map(row => Number(row.dataset.x));
            let cursor = null, at = -1;
            const show = index => {
              at = Math.max(0, Math.min(rows.length - 1, index));
              cursor = cursor || line(svg, 'cursor');
              cursor.setAttribute('x1', places[at] + '%');
              cursor.setAttribute('x2', places[at] + '%');
              cursor.setAttribute('y1', 0);
              cursor.setAttribute('y2', svg.height.baseVal.value - 24);
              out.textContent = text(rows[at]);
            };
            const share = event => {
              const box = svg.getBoundingClientRect();
              return Math.max(0, Math.min(100, (event.clientX - box.left) / box.width * 100));
            };
            const nearest = x => places.reduce(
              (best, place, i) => Math.abs(place - x) < Math.abs(places[best] - x) ? i : best, 0);
            svg.addEventListener('pointermove', event => show(nearest(share(event))));
            svg.addEventListener('pointerleave', () => {
              if (cursor && document.activeElement !== svg) {
                cursor.remove(); cursor = null; out.textContent = '';
              }
            });
            svg.setAttribute('tabindex', '0');
            svg.addEventListener('keydown', event => {
              const steps = {ArrowLeft: -1, ArrowRight: 1, PageUp: -7, PageDown: 7};
              if (event.key in steps) show((at < 0 ? rows.length : at) + steps[event.key]);
              else if (event.key === 'Home') show(0);
              else if (event.key === 'End') show(rows.length - 1);
              else return;
              event.preventDefault();
            });
            svg.addEventListener('focus', () => out.setAttribute('aria-live', 'polite'));
            if (svg.dataset.zoom) zooming(svg, share);
          }

          function zooming(svg, share) {
            let from = null, mark = null;
            svg.addEventListener('pointerdown', event => {
              if (event.pointerType === 'mouse') from = share(event);
            });
            svg.addEventListener('pointermove', event => {
              if (from === null) return;
              mark = mark || line(svg, 'pick');
              mark.setAttribute('x', Math.min(from, share(event)) + '%');
              mark.setAttribute('width', Math.abs(share(event) - from) + '%');
              mark.setAttribute('y', 24);
              mark.setAttribute('height', svg.height.baseVal.value - 48);
            });
            addEventListener('pointerup', event => {
              if (from === null) return;
              const [low, high] = [from, share(event)].sort((a, b) => a - b);
              from = null;
              if (mark) { mark.remove(); mark = null; }
              if (!(high - low >= 3)) return;
              const [start, end] = [Number(svg.dataset.from), Number(svg.dataset.to)];
              const day = x => new Date((start + (end - start) * x / 100) * 1000)
                .toISOString().slice(0, 10);
              location.href = svg.dataset.zoom + '&from=' + day(low) + '&to=' + day(high);
            });
          }

          const start = () => document.querySelectorAll('figure.chart').forEach(reading);
          start();

          const main = document.getElementById('main');
          const stops = () => [...main.querySelectorAll('a, button, input, select, summary, svg.plot')];
          // What a person is entering is not taken from them.
          const isEntering = () => [...main.querySelectorAll('form')].some(form =>
            form.contains(document.activeElement) || [...form.elements].some(isChanged));
          const isChanged = field => {
            if (!field.options) {
              return 'defaultValue' in field && field.value !== field.defaultValue
                || field.checked !== field.defaultChecked;
            }
            const given = [...field.options].findIndex(each => each.defaultSelected);
            return field.selectedIndex !== Math.max(0, given);
          };

          function show(next) {
            if (!next || next.innerHTML === main.innerHTML) return;
            const open = [...main.querySelectorAll('details')].map(each => each.open);
            const place = stops().indexOf(document.activeElement);
            main.replaceChildren(...next.childNodes);
            main.querySelectorAll('details').forEach((each, i) => { each.open = !!open[i]; });
            main.querySelector('.answer')?.classList.add('changed');
            start();
            if (place >= 0) stops()[place]?.focus({preventScroll: true});
          }

          let isBusy = false, isHeld = false;
          async function refresh() {
            isHeld = isBusy || isEntering();
            if (isHeld) return;
            isBusy = true;
            try {
              const answer = await fetch(location.href, {cache: 'no-store'});
              const page = new DOMParser().parseFromString(await answer.text(), 'text/html');
              isHeld = isHeld || isEntering();
              if (answer.ok && !isHeld) show(page.getElementById('main'));
            } catch { /* The next change asks again. */ }
            isBusy = false;
            if (isHeld && !isEntering()) refresh();
          }
          addEventListener('focusout', () => setTimeout(() => { if (isHeld) refresh(); }));
          if (window.EventSource) {
            const events = new EventSource('/events');
            events.addEventListener('message', refresh);
            events.addEventListener('change', refresh);
          }
        })();

        """
}
