/** Whether what stands at a web address calls itself a PDF. Servers of images draw its pages where a format is asked for. */
export const isPdfAddress = (url: string): boolean =>
  /^[^?#]*\.pdf(?:[?#]|$)/i.test(url) && !/[?&](?:fm|format)=/i.test(url)
