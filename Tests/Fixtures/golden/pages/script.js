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

  let hasZoomed = false;
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
    const open = index => {
      const link = rows[index].cells[0].querySelector('a');
      if (link) location.href = link.href;
    };
    const nearest = x => places.reduce(
      (best, place, i) => Math.abs(place - x) < Math.abs(places[best] - x) ? i : best, 0);
    svg.addEventListener('pointermove', event => show(nearest(share(event))));
    svg.addEventListener('pointerleave', () => {
      if (cursor && document.activeElement !== svg) {
        cursor.remove(); cursor = null; out.textContent = '';
      }
    });
    svg.addEventListener('click', event => {
      if (!event.target.closest('a') && !hasZoomed) open(nearest(share(event)));
      hasZoomed = false;
    });
    svg.setAttribute('tabindex', '0');
    svg.addEventListener('keydown', event => {
      const steps = {ArrowLeft: -1, ArrowRight: 1, PageUp: -7, PageDown: 7};
      if (event.key in steps) show((at < 0 ? rows.length : at) + steps[event.key]);
      else if (event.key === 'Home') show(0);
      else if (event.key === 'End') show(rows.length - 1);
      else if (event.key === 'Enter' && at >= 0) open(at);
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
      hasZoomed = true;
      const [start, end] = [Number(svg.dataset.from), Number(svg.dataset.to)];
      const day = x => new Date((start + (end - start) * x / 100) * 1000)
        .toISOString().slice(0, 10);
      location.href = svg.dataset.zoom + '&from=' + day(low) + '&to=' + day(high);
    });
  }

  // Escape closes the calendar. Arrows and T lead to other days, unless a person is entering something or is in a drawing.
  addEventListener('keydown', event => {
    if (event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return;
    const menu = event.key === 'Escape' && document.querySelector('details.calendar[open]');
    if (menu) { menu.open = false; menu.firstElementChild.focus(); return; }
    if (event.target.closest('input, select, textarea, svg, .scroll')) return;
    const key = event.key.length === 1 ? event.key.toLowerCase() : event.key;
    document.querySelector('[data-key="' + CSS.escape(key) + '"]')?.click();
  });

  const painted = ['fill', 'fill-opacity', 'stroke', 'stroke-width', 'stroke-dasharray',
    'stroke-linecap', 'stroke-linejoin', 'vector-effect', 'font-size', 'font-weight',
    'font-family', 'text-anchor'];
  // A copy of a drawing that needs no stylesheet.
  const copied = svg => {
    const copy = svg.cloneNode(true);
    const from = [svg, ...svg.querySelectorAll('*')];
    [copy, ...copy.querySelectorAll('*')].forEach((each, i) => {
      const style = getComputedStyle(from[i]);
      for (const name of painted) each.style.setProperty(name, style.getPropertyValue(name));
      if (each.tagName === 'a') each.removeAttribute('href');
    });
    copy.querySelectorAll('.hit, .cursor, .pick').forEach(each => each.remove());
    return copy;
  };
  // The drawings of a figure beside each other, with the patterns that they use.
  const picture = figure => {
    const drawings = [...figure.querySelectorAll('.plot-row > svg, .year > svg')];
    const all = document.createElementNS(space, 'svg');
    all.append(copied(document.querySelector('svg.patterns')));
    let x = 8, height = 0;
    for (const svg of drawings) {
      const box = svg.getBoundingClientRect();
      const copy = copied(svg);
      copy.setAttribute('x', x);
      copy.setAttribute('y', 8);
      copy.setAttribute('width', box.width);
      copy.setAttribute('height', box.height);
      all.append(copy);
      x += box.width;
      height = Math.max(height, box.height);
    }
    all.setAttribute('width', x + 8);
    all.setAttribute('height', height + 16);
    all.style.background = getComputedStyle(document.body).backgroundColor;
    return {text: new XMLSerializer().serializeToString(all), width: x + 8, height: height + 16};
  };
  const save = (name, type, content) => {
    const link = document.createElement('a');
    link.href = URL.createObjectURL(new Blob([content], {type}));
    link.download = name;
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 10000);
  };
  const png = (name, {text, width, height}) => {
    const image = new Image();
    image.onload = () => {
      const canvas = document.createElement('canvas');
      canvas.width = width * 2;
      canvas.height = height * 2;
      const context = canvas.getContext('2d');
      context.scale(2, 2);
      context.fillStyle = getComputedStyle(document.body).backgroundColor;
      context.fillRect(0, 0, width, height);
      context.drawImage(image, 0, 0, width, height);
      canvas.toBlob(blob => save(name, 'image/png', blob), 'image/png');
    };
    image.src = 'data:image/svg+xml;charset=utf-8,' + encodeURIComponent(text);
  };
  // Numbers without separators of thousands; other texts in quotation marks.
  const csv = table => [...table.rows].map(row => [...row.cells].map(cell => {
    const value = cell.textContent.trim();
    const number = value.replace(/,/g, '');
    return cell.classList.contains('n') && /^-?\d+(\.\d+)?$/.test(number) ? number
      : '"' + value.replace(/"/g, '""') + '"';
  }).join(',')).join('\r\n') + '\r\n';
  const offers = figure => {
    if (figure.querySelector('.offers') || !figure.querySelector('details')) return;
    const title = figure.querySelector('title')?.textContent || 'chart';
    const name = title.toLowerCase().replace(/[^a-z0-9]+/g, '-');
    const list = document.createElement('p');
    list.className = 'offers';
    const offer = (words, action) => {
      const button = document.createElement('button');
      button.type = 'button';
      button.textContent = words;
      button.addEventListener('click', action);
      list.append(button, ' ');
    };
    if (figure.querySelector('.plot-row > svg')) {
      offer('SVG', () => save(name + '.svg', 'image/svg+xml', picture(figure).text));
      offer('PNG', () => png(name + '.png', picture(figure)));
    }
    const table = figure.querySelector('table');
    if (table) offer('CSV', () => save(name + '.csv', 'text/csv;charset=utf-8', csv(table)));
    figure.querySelector('details').append(list);
  };

  const start = () => document.querySelectorAll('figure.chart').forEach(figure => {
    reading(figure);
    offers(figure);
  });
  start();

  const main = document.getElementById('main');
  const stops = () => [...main.querySelectorAll('a, button, input, select, textarea, summary, svg.plot')];
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
