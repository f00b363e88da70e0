export default function Crash() {
  setTimeout(() => {
    throw new Error('thrown where no page can catch it')
  })
  return <h1>About to fall</h1>
}
