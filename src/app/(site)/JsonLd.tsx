/** Structured data for search engines. React does not escape the text of a script, hence the escapes. */
export function JsonLd({ graph }: { graph: unknown }) {
  return <script type="application/ld+json">{asScriptText(graph)}</script>
}

/** Without `<`, which could end the script, and without two separators of lines that once ended a text in scripts. */
const asScriptText = (graph: unknown): string =>
  JSON.stringify(graph).replaceAll(
    /[<\u2028\u2029]/g,
    (sign) => `\\u${sign.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
