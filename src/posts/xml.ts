/** Text in an element or an attribute of XML. What XML 1.0 has no place for, such as control characters, is left out. */
export const escapeXml = (text: string): string =>
  text
    .toWellFormed()
    // tab, line feed and carriage return are the only ones of theirs that may stand in XML
    .replaceAll(/[^\t\n\r\u{20}-\u{D7FF}\u{E000}-\u{FFFD}\u{10000}-\u{10FFFF}]/gu, '')
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
