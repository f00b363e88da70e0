export { metadata, ConsentPage as default } from '#studio/sign-in/ConsentPage'
