export { UnknownPage as default } from '#studio/shell/UnknownPage'
