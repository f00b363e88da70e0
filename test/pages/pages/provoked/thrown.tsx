export default function Thrown() {
  return null
}

export function getServerSideProps() {
  throw new Error('thrown in the other router')
}
