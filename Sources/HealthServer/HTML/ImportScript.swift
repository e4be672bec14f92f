/// The script of the pages with a place to drop an export: it sends the file with progress, and
/// follows the import. Without it, the form sends the file and the page is reloaded by hand.
package enum ImportScript {
    /// The address of the script.
    package static let path = "/import.js"
    /// The script.
    package static let text = """
        'use strict';
        (() => {
          // The elements are looked up each time, because the page's contents can be replaced.
          const find = selector => document.querySelector(selector);
          const size = bytes => bytes < 1e6 ? Math.ceil(bytes / 1e3) + ' kB'
            : bytes < 1e9 ? (bytes / 1e6).toFixed(1) + ' MB' : (bytes / 1e9).toFixed(1) + ' GB';
          const state = async () => (await fetch('/import.json', {cache: 'no-store'})).json();
          const isBusy = phase => ['receiving', 'importing', 'undoing'].includes(phase);
          let upload = null;

          const say = words => {
            const out = find('.drop output');
            if (out) out.textContent = words;
          };
          const showing = shown => {
            for (const each of document.querySelectorAll('.drop progress, .drop .stop')) {
              each.hidden = !shown;
            }
            const button = find('.drop .act');
            if (button) button.disabled = shown;
          };
          const end = words => {
            upload = null;
            showing(false);
            say(words);
          };

          async function send(file) {
            const form = find('form.drop');
            if (!form || upload || !file) return;
            if (!file.size) return say('This file is empty. Choose export.zip.');
            if (file.size > Number(form.dataset.maximum)) {
              return say('This file has ' + size(file.size) + ', more than a browser can send. '
                + 'Import it with: openhealth import export.zip');
            }
            upload = new XMLHttpRequest();
            const request = upload;
            say('Sending ' + size(file.size) + ' …');
            showing(true);
            try {
              if (isBusy((await state()).phase)) {
                upload = null;
                location.href = '/import';
                return;
              }
            } catch { return end('The server doesn’t answer. Is it still running?'); }
            request.upload.addEventListener('progress', event => {
              const bar = find('.drop progress');
              if (bar && event.total) bar.value = event.loaded / event.total * 100;
              say(size(event.loaded) + ' of ' + size(event.total));
            });
            request.addEventListener('load', () => {
              if (request.status === 202) {
                upload = null;
                location.href = '/import';
                return;
              }
              let words = 'The server refused the file.';
              try {
                words = JSON.parse(request.responseText).error || words;
              } catch { /* No JSON. */ }
              end(words);
            });
            request.addEventListener('abort', () => end('Stopped. Nothing was imported.'));
            // The connection can end before the answer is read. Then the page has the reason.
            request.addEventListener('error', async () => {
              let words = 'The connection was lost. Try again.';
              try {
                words = (await state()).problem || words;
              } catch { /* The server has ended. */ }
              end(words);
            });
            request.open('POST', '/import');
            request.setRequestHeader('Content-Type', 'application/zip');
            request.setRequestHeader('Accept', 'application/json');
            request.setRequestHeader('X-Form-Key', form.elements.csrf.value);
            request.send(file);
          }

          document.addEventListener('submit', event => {
            if (!event.target.matches('form.drop')) return;
            event.preventDefault();
            send(event.target.elements.export.files[0]);
          });
          document.addEventListener('change', event => {
            if (event.target.matches('.drop input[type=file]')) send(event.target.files[0]);
          });
          document.addEventListener('click', event => {
            if (event.target.matches('.drop .stop') && upload) upload.abort();
          });
          // A file that misses the place would replace the page.
          document.addEventListener('dragover', event => {
            event.preventDefault();
            find('form.drop')?.classList.add('over');
          });
          document.addEventListener('dragleave', event => {
            if (!event.relatedTarget) find('form.drop')?.classList.remove('over');
          });
          document.addEventListener('drop', event => {
            event.preventDefault();
            find('form.drop')?.classList.remove('over');
            const item = event.dataTransfer.items[0];
            if (item?.webkitGetAsEntry?.()?.isDirectory) {
              return say('This is a folder. Compress it to a zip, then drop that.');
            }
            send(event.dataTransfer.files[0]);
          });
          addEventListener('beforeunload', event => { if (upload) event.preventDefault(); });

          async function follow() {
            const section = find('[data-phase]');
            if (section) {
              try {
                const now = await state();
                if (now.phase !== section.dataset.phase && !isBusy(now.phase)) {
                  location.href = '/import';
                  return;
                }
                section.dataset.phase = now.phase;
                find('main .answer').textContent = now.sentence;
                const bar = section.querySelector('progress');
                if (now.percent === undefined) bar.removeAttribute('value');
                else bar.value = now.percent;
                section.querySelector('.samples').textContent = now.samplesRead === undefined ? ''
                  : now.samplesRead.toLocaleString('en') + ' samples read.';
              } catch { /* The next time asks again. */ }
            }
            setTimeout(follow, 700);
          }
          follow();
        })();

        """
}
