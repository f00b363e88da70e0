/** A stylesheet imported `with { type: 'text' }` is a text: esbuild bundles its content. */
declare module '*.css' {
  const text: string
  export default text
}
