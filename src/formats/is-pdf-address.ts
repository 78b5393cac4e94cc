/** Whether what stands at a web address calls itself a PDF. */
export const isPdfAddress = (url: string): boolean => /^[^?#]*\.pdf(?:[?#]|$)/i.test(url)
