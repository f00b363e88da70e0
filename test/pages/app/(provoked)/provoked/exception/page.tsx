export default function Exception() {
  throw new Error('thrown while a page was rendered')
}
