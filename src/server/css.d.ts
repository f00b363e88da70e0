/** A stylesheet imported `with { type: 'text' }` is its own text: esbuild puts it into the bundle. */
declare module '*.css' {
  const text: string
  export default text
}
