export { generateMetadata, HomePage as default } from '#studio/home/HomePage'
