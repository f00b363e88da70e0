/**
 * Escapes text for an element or an attribute of XML. Characters that XML 1.0 does not allow, such as control
 * characters, are removed.
 */
export const escapeXml = (text: string): string =>
  text
    .toWellFormed()
    // tab, line feed and carriage return are the only control characters that XML allows
    .replaceAll(/[^\t\n\r\u{20}-\u{D7FF}\u{E000}-\u{FFFD}\u{10000}-\u{10FFFF}]/gu, '')
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
