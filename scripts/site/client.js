// What runs in the pages of the site: search, light and dark, the menu of small screens. A classic script: modules do not load from file://.
(() => {
  const root = document.documentElement;
  const home = root.dataset.home;
  document.getElementById('theme').addEventListener('click', () => {
    const isDark = root.dataset.theme
      ? root.dataset.theme === 'dark'
      : matchMedia('(prefers-color-scheme: dark)').matches;
    root.dataset.theme = isDark ? 'light' : 'dark';
    try {
      localStorage.setItem('theme', root.dataset.theme);
    } catch {
      // A browser that keeps nothing shows the colours of the system.
    }
  });

  const menu = document.getElementById('menu');
  document.getElementById('open-menu').addEventListener('click', () => menu.classList.toggle('open'));
  // The menu alone: `scrollIntoView` would move the page, too.
  const current = menu.querySelector('[aria-current]');
  if (current) menu.scrollTop = current.offsetTop - menu.clientHeight / 2;

  const search = document.getElementById('search');
  const results = document.getElementById('results');
  let loading;
  /** The index is loaded with the first search only. */
  const load = () => {
    loading ??= new Promise((resolve, reject) => {
      const script = document.createElement('script');
      script.src = `${home}search.js`;
      script.onload = () => resolve(window.docsSearch);
      script.onerror = reject;
      document.head.append(script);
    });
    return loading;
  };
  search.addEventListener('focus', load);
  search.addEventListener('input', async () => {
    const find = await load();
    const words = search.value.trim();
    const found = words === '' ? [] : find(words).slice(0, 12);
    results.hidden = words === '';
    results.replaceChildren(...(found.length === 0 ? [nothing()] : found.map(show)));
  });

  function show({ url, title, page, excerpt }) {
    const link = document.createElement('a');
    link.href = home + url;
    const heading = document.createElement('b');
    heading.textContent = title;
    const place = document.createElement('small');
    place.textContent = page === title ? '' : page;
    const words = document.createElement('span');
    words.textContent = excerpt;
    link.append(heading, ' ', place, words);
    return link;
  }

  function nothing() {
    const line = document.createElement('p');
    line.textContent = 'Nothing matches.';
    return line;
  }

  addEventListener('keydown', event => {
    const isSearching = search === document.activeElement || results.contains(document.activeElement);
    if (event.key === '/' && !isSearching) {
      event.preventDefault();
      search.focus();
    }
    if (!isSearching) return;
    if (event.key === 'Escape') {
      search.value = '';
      results.hidden = true;
      search.blur();
    }
    const links = [...results.querySelectorAll('a')];
    const at = links.indexOf(document.activeElement);
    if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
      event.preventDefault();
      const next = links[at + (event.key === 'ArrowDown' ? 1 : -1)] ?? search;
      next.focus();
    }
    if (event.key === 'Enter' && at < 0) links[0]?.click();
  });
  addEventListener('click', event => {
    if (!results.contains(event.target) && event.target !== search) results.hidden = true;
  });
})();
