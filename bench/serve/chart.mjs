// In: measured rows. Out: an SVG of bars, one panel per row of interest, shorter is better; it follows light and dark.

const panels = [
  ['cold start, 50 tools', 'Cold start: spawn to the answer of tools/list, 50 tools'],
  ['cold start, 2000 tools', 'Cold start with 2,000 tools'],
  ['memory after it, 50 tools', 'Memory after the handshake'],
  ['stdio 2025, 64 at a time, server CPU', 'Server CPU per tools/call, stdio, 64 in flight'],
  ['http 2026, 32 at a time, server CPU', 'Server CPU per tools/call, HTTP 2026-07-28, 32 at a time'],
];
const width = 760;
const labelWidth = 150;
const valueWidth = 70;
const bar = 16;
const gap = 6;
const style = `text { font: 12px system-ui, sans-serif; fill: #1f2328 } .title { font-weight: 600; font-size: 13px }
.peer { fill: #9aa4b0 } .own { fill: #2f81f7 } .limit { fill: #57606a } .page { fill: #ffffff }
@media (prefers-color-scheme: dark) { text { fill: #e6edf3 } .page { fill: #0d1117 } .peer { fill: #57606a } .limit { fill: #8b949e } }`;

export function drawChart(rows) {
  const parts = [];
  let top = 28;
  parts.push(
    `<text x="12" y="${top}">Ratios to the limit, a hand-written loop with prebuilt answers (shorter is better)</text>`,
  );
  top += 18;
  for (const [id, title] of panels) {
    const row = rows.find(one => one.id === id);
    if (row === undefined) continue;
    const bars = Object.entries(row.of).toSorted(([, a], [, b]) => a.ratio - b.ratio);
    const longest = Math.max(...bars.map(([, { ratio }]) => ratio));
    top += 14;
    parts.push(`<text class="title" x="12" y="${top}">${escapeXml(title)}</text>`);
    top += 8;
    for (const [name, { ratio }] of bars) {
      const length = Math.max(1, ((width - labelWidth - valueWidth - 24) * ratio) / longest);
      const kind = name === 'limit' ? 'limit' : name.startsWith('toolwright') ? 'own' : 'peer';
      parts.push(
        `<text x="${labelWidth}" y="${top + 12}" text-anchor="end">${escapeXml(name)}</text>`,
        `<rect class="${kind}" x="${labelWidth + 8}" y="${top}" width="${length.toFixed(1)}" height="${bar}" rx="2"/>`,
        `<text x="${(labelWidth + 14 + length).toFixed(1)}" y="${top + 12}">${ratio.toFixed(2)}</text>`,
      );
      top += bar + gap;
    }
    top += 8;
  }
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${top + 8}" viewBox="0 0 ${width} ${top + 8}" role="img" aria-label="Toolwright beside other frameworks">
<style>${style}</style>
<rect class="page" width="${width}" height="${top + 8}" rx="8"/>
${parts.join('\n')}
</svg>
`;
}

function escapeXml(text) {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
}
